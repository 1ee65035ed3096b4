namespace Gateway.Codec.Structures;

public enum PubSubState
{
    Disabled = 0,
    Paused = 1,
    Operational = 2,
    Error = 3,
    PreOperational = 4,
}
