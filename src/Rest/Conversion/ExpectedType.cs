using System.Globalization;
using Gateway.Codec.Types;
using static Gateway.Codec.Types.StandardIds;

namespace Gateway.Rest.Conversion;

/// <summary>The type that a value must have.</summary>
/// <param name="DataType">The DataType of the Variable or Argument.</param>
/// <param name="BuiltInType">Its encoding; Null if the DataType allows several.</param>
/// <param name="ValueRank">−1 for a scalar, 1 for an array.</param>
internal readonly record struct ExpectedType(NodeId DataType, BuiltInType BuiltInType, int ValueRank)
{
    private const string OrAnyType = ", or {\"UaType\":…,\"Value\":…}";

    /// <summary><c>Int16, -32768 … 32767</c>, <c>an array of Double</c>.</summary>
    public string InWords => ValueRank switch
    {
        -1 => OneInWords,
        1 => "an array of " + OneInWords,
        > 1 => string.Create(CultureInfo.InvariantCulture, $"arrays in {ValueRank} levels of {OneInWords}"),
        0 => "one or more levels of arrays of " + OneInWords,
        _ => $"{OneInWords}, or an array of it",
    };

    /// <summary>An element of an array.</summary>
    public string OneInWords => BuiltInType switch
    {
        BuiltInType.Boolean => "Boolean, true or false",
        BuiltInType.SByte => "SByte, -128 … 127",
        BuiltInType.Byte => "Byte, 0 … 255",
        BuiltInType.Int16 => "Int16, -32768 … 32767",
        BuiltInType.UInt16 => "UInt16, 0 … 65535",
        BuiltInType.Int32 => "Int32, -2147483648 … 2147483647",
        BuiltInType.UInt32 => "UInt32, 0 … 4294967295",
        BuiltInType.Int64 => "Int64, as a number or a string",
        BuiltInType.UInt64 => "UInt64, as a number or a string",
        BuiltInType.DateTime => "DateTime, as 2026-01-31T12:00:00Z",
        BuiltInType.Guid => "Guid, as 72962B91-FA75-4AE6-8D28-B404DC7DAF63",
        BuiltInType.ByteString => "ByteString, as Base64",
        BuiltInType.NodeId or BuiltInType.ExpandedNodeId => $"{BuiltInType}, as nsu=<uri>;s=x or ns=2;s=x",
        BuiltInType.QualifiedName => "QualifiedName, as nsu=<uri>;name or 2:name",
        BuiltInType.LocalizedText => "LocalizedText, as a string or {\"Locale\":…,\"Text\":…}",
        BuiltInType.StatusCode => "StatusCode, as {\"Code\":…}",
        BuiltInType.ExtensionObject => "a structure, as a JSON object",
        BuiltInType.Null when IsOneOf(DataTypes.Integer, DataTypes.UInteger) => "an integer" + OrAnyType,
        BuiltInType.Null when IsOneOf(DataTypes.Number, DataTypes.Number) => "a number" + OrAnyType,
        BuiltInType.Null => "a boolean, a number, a string" + OrAnyType,
        _ => BuiltInType.ToString(),
    };

    private bool IsOneOf(uint one, uint other) => DataType == new NodeId(one) || DataType == new NodeId(other);
}
