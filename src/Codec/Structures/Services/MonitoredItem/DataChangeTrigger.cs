namespace Gateway.Codec.Structures;

public enum DataChangeTrigger
{
    Status = 0,
    StatusValue = 1,
    StatusValueTimestamp = 2,
}
