"""From a question to an answer whose every sentence is supported: sentinel, routing, agents, composing."""
