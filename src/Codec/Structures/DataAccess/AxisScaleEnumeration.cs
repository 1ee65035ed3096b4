namespace Gateway.Codec.Structures;

public enum AxisScaleEnumeration
{
    Linear = 0,
    Log = 1,
    Ln = 2,
}
