namespace Gateway.Codec.Structures;

public enum ActionState
{
    Idle = 0,
    Executing = 1,
    Done = 2,
}
