using Gateway.Codec.Types;

namespace Gateway.Codec.Json.Definitions;

/// <summary>Changes the values inside a structure that can hold a namespace index.</summary>
public interface IContentMapper
{
    NodeId Map(NodeId id);

    ExpandedNodeId Map(ExpandedNodeId id);

    QualifiedName Map(QualifiedName name);

    Variant Map(in Variant value);

    DataValue Map(in DataValue value);

    ExtensionObject Map(ExtensionObject value);
}
