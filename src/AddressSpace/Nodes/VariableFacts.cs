using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Nodes;

/// <summary>The fixed facts about a Variable or VariableType, apart from its value. Equal facts are stored once for all
/// nodes. Source: Part 3 §5.6.2.</summary>
/// <param name="DataType">The DataType's node.</param>
/// <param name="ValueRank">−3 scalar or one dimension, −2 any, −1 scalar, 0 one or more, n exactly n.</param>
/// <param name="ArrayDimensions">Length of each dimension, 0 for any; null unless ValueRank is above 0.</param>
/// <param name="AccessLevel">The low byte is the AccessLevel attribute, the whole AccessLevelEx.</param>
/// <param name="MinimumSamplingInterval">Milliseconds; 0 reports at once, −1 unknown.</param>
/// <param name="Historizing">Whether history is being collected.</param>
public readonly record struct VariableFacts(
    NodeId DataType,
    int ValueRank = -1,
    uint[]? ArrayDimensions = null,
    AccessLevelExType AccessLevel = AccessLevelExType.CurrentRead,
    double MinimumSamplingInterval = 0,
    bool Historizing = false)
{
    /// <summary>The built-in type that values of <see cref="DataType"/> are encoded as, found by the table; Null where
    /// the DataType allows several (Number, BaseDataType) or is not known.</summary>
    public BuiltInType BuiltInType { get; internal init; }

    public bool IsReadable => (AccessLevel & AccessLevelExType.CurrentRead) != 0;

    public bool IsWritable => (AccessLevel & AccessLevelExType.CurrentWrite) != 0;
}
