using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Values;

/// <summary>A DataValue without its value.</summary>
internal readonly record struct DataValueFacts(
    StatusCode Status,
    DateTime SourceTimestamp,
    DateTime ServerTimestamp,
    ushort SourcePicoseconds,
    bool IsAfterLoss = false);
