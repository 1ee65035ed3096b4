using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Json;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Operations.Browsing;

namespace Gateway.Rest.Nodes;

/// <summary>The JSON of one node for a caller. Attributes that the node lacks, or that the caller may not see, are
/// absent. Thread-safe.</summary>
internal sealed class NodeJson(NodeTable nodes, NodeAccess access, NodePaths paths)
{
    /// <param name="writer">The output.</param>
    /// <param name="caller">The caller of the request.</param>
    /// <param name="node">Visible to the caller.</param>
    /// <param name="fields">The members to write.</param>
    public void Write(UaJsonWriter writer, Caller caller, NodeHandle node, NodeFields fields)
    {
        var json = writer.Json;
        var nodeClass = nodes.GetNodeClass(node);
        writer.StartObject();
        if (fields.HasFlag(NodeFields.Node))
            WriteId(writer, "node"u8, nodes.GetNodeId(node));
        if (fields.HasFlag(NodeFields.NodeClass))
            json.WriteString("nodeClass"u8, nodeClass.ToString());
        if (fields.HasFlag(NodeFields.BrowseName))
        {
            json.WritePropertyName("browseName"u8);
            writer.WriteQualifiedName(nodes.GetBrowseName(node));
        }

        if (fields.HasFlag(NodeFields.DisplayName))
            WriteText(writer, "displayName"u8, TextOf(caller, node, AttributeId.DisplayName));
        if (fields.HasFlag(NodeFields.Description))
            WriteText(writer, "description"u8, TextOf(caller, node, AttributeId.Description));
        if (fields.HasFlag(NodeFields.TypeDefinition) && TypeDefinitionOf(caller, node, nodeClass) is { } type)
            WriteId(writer, "typeDefinition"u8, type);
        if (nodeClass is NodeClass.Variable or NodeClass.VariableType)
            WriteFacts(writer, nodes.GetVariableFacts(node), fields);
        if (fields.HasFlag(NodeFields.Access))
            WriteAccess(writer, caller, node);
        if (fields.HasFlag(NodeFields.Path))
            WriteText(writer, "path"u8, paths.PathOf(caller, node));
        writer.EndObject();
    }

    private static void WriteFacts(UaJsonWriter writer, in VariableFacts facts, NodeFields fields)
    {
        if (fields.HasFlag(NodeFields.DataType))
            WriteId(writer, "dataType"u8, facts.DataType);
        if (fields.HasFlag(NodeFields.ValueRank))
            writer.Json.WriteNumber("valueRank"u8, facts.ValueRank);
    }

    /// <summary>The caller's permissions for the node besides seeing it.</summary>
    private void WriteAccess(UaJsonWriter writer, Caller caller, NodeHandle node)
    {
        writer.Json.WriteStartArray("access"u8);
        if (access.TryReadUserAttribute(caller, node, AttributeId.UserAccessLevel, out var level))
        {
            var bits = (AccessLevelType)(byte)level.AsUInt32();
            if (bits.HasFlag(AccessLevelType.CurrentRead))
                writer.Json.WriteStringValue("read"u8);
            if (bits.HasFlag(AccessLevelType.CurrentWrite))
                writer.Json.WriteStringValue("write"u8);
        }

        if (access.TryReadUserAttribute(caller, node, AttributeId.UserExecutable, out var executable) &&
            executable.AsBoolean())
            writer.Json.WriteStringValue("call"u8);
        writer.Json.WriteEndArray();
    }

    private string? TextOf(Caller caller, NodeHandle node, AttributeId attribute)
    {
        if (!access.TryReadUserAttribute(caller, node, attribute, out var value) &&
            nodes.ReadAttribute(node, attribute, out value).IsBad)
            return null;
        return value.AsLocalizedText().Text;
    }

    private NodeId? TypeDefinitionOf(Caller caller, NodeHandle node, NodeClass nodeClass)
    {
        return nodeClass is NodeClass.Object or NodeClass.Variable &&
            nodes.TypeDefinitionOf(node) is { IsExternal: false } reference &&
            access.IsVisible(caller, reference.Target)
                ? nodes.GetNodeId(reference.Target)
                : null;
    }

    private static void WriteId(UaJsonWriter writer, ReadOnlySpan<byte> name, NodeId id)
    {
        writer.Json.WritePropertyName(name);
        writer.WriteNodeId(id);
    }

    private static void WriteText(UaJsonWriter writer, ReadOnlySpan<byte> name, string? text)
    {
        if (!string.IsNullOrEmpty(text))
            writer.Json.WriteString(name, text);
    }
}
