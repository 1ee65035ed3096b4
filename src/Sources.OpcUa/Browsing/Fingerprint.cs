using System.Buffers.Binary;
using System.Security.Cryptography;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Sources.OpcUa.Browsing;

/// <summary>Shows a change of a served node: digests, because an upstream may have many nodes. 24 bytes.
/// </summary>
/// <param name="Identity">Of the facts that identify a node: if one changes, it is another node.</param>
/// <param name="Looks">Of those that may change while clients watch the node: it stays where it is.</param>
/// <param name="NodeClass">Of the node.</param>
/// <param name="IsModel">A type, or a part of one.</param>
internal readonly record struct Fingerprint(ulong Identity, ulong Looks, NodeClass NodeClass, bool IsModel)
{
    public static Fingerprint Of(in TranslatedNode node, bool isModel)
    {
        using var buffer = new PooledBuffer();
        var definition = node.Definition;
        var facts = definition.Variable;
        var writer = new UaBinaryWriter(buffer);
        writer.WriteByte((byte)definition.NodeClass);
        writer.WriteQualifiedName(definition.BrowseName);
        writer.WriteNodeId(node.Type);
        writer.WriteNodeId(facts.DataType);
        writer.WriteInt32(facts.ValueRank);
        writer.WriteArray(BuiltInType.UInt32, facts.ArrayDimensions);
        writer.WriteUInt32((uint)facts.AccessLevel);
        writer.WriteBoolean(facts.Historizing);
        writer.Complete();
        var identity = Digest(buffer);
        buffer.Reset();
        writer = new UaBinaryWriter(buffer);
        writer.WriteLocalizedText(definition.DisplayName);
        writer.WriteLocalizedText(definition.Description);
        writer.WriteLocalizedText(definition.InverseName);
        writer.WriteBoolean(definition.Executable);
        writer.WriteBoolean(definition.IsAbstract);
        writer.WriteBoolean(definition.Symmetric);
        writer.WriteByte((byte)definition.EventNotifier);
        writer.WriteDouble(facts.MinimumSamplingInterval);
        writer.WriteExtensionObject(new ExtensionObject((IStructure?)definition.DataTypeDefinition));
        writer.Complete();
        return new Fingerprint(identity, Digest(buffer), definition.NodeClass, isModel);
    }

    /// <summary>Of another id of the node: one that stands for another node from now on is another node.</summary>
    public Fingerprint AliasOf(NodeId present) => this with
    {
        Identity = Drift.TextDigest.Add(Identity, NodeIdText.Format(present)),
    };

    private static ulong Digest(PooledBuffer bytes)
    {
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(bytes.WrittenSpan, hash);
        return BinaryPrimitives.ReadUInt64LittleEndian(hash);
    }
}
