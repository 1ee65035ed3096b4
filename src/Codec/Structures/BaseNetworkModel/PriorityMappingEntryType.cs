namespace Gateway.Codec.Structures;

[Structure(25220, 25239)]
public sealed partial class PriorityMappingEntryType
{
    public string? MappingUri { get; init; }

    public string? PriorityLabel { get; init; }

    public byte PriorityValue_PCP { get; init; }

    public uint PriorityValue_DSCP { get; init; }
}
