namespace Gateway.Codec.Structures;

[Structure(8912, 8917)]
public sealed partial class TimeZoneDataType
{
    public short Offset { get; init; }

    public bool DaylightSavingInOffset { get; init; }
}
