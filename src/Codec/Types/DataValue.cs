namespace Gateway.Codec.Types;

/// <summary>A value with its quality and times. A time of <see cref="DateTime.MinValue"/> means absent; picoseconds
/// are in units of 10 ps. Source: Part 4 §7.11, Part 6 §5.2.2.17.</summary>
public readonly record struct DataValue(
    Variant Value,
    StatusCode Status = default,
    DateTime SourceTimestamp = default,
    DateTime ServerTimestamp = default,
    ushort SourcePicoseconds = 0,
    ushort ServerPicoseconds = 0)
{
    public DataValue(StatusCode status)
        : this(default, status)
    {
    }
}
