namespace Gateway.StructureGenerator.Model;

/// <summary>The built-in types by the names that the codec's readers, writers and <c>BuiltInType</c> use.
/// Source: Part 6 §5.1.2.</summary>
internal enum BuiltIn
{
    Boolean,
    SByte,
    Byte,
    Int16,
    UInt16,
    Int32,
    UInt32,
    Int64,
    UInt64,
    Float,
    Double,
    String,
    DateTime,
    Guid,
    ByteString,
    XmlElement,
    NodeId,
    ExpandedNodeId,
    StatusCode,
    QualifiedName,
    LocalizedText,
    ExtensionObject,
    DataValue,
    Variant,
    DiagnosticInfo,
}
