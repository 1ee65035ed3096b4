using System.Collections.Frozen;
using Gateway.Codec.Types;

namespace Gateway.Codec.Json;

/// <summary>All structures that the codec declares. The generated half fills the table. Threads: any.</summary>
public sealed partial class DeclaredStructures : IJsonStructures
{
    private readonly FrozenDictionary<NodeId, DeclaredStructure> _byEncoding;
    private readonly FrozenDictionary<NodeId, DeclaredStructure> _byDataType;

    private DeclaredStructures()
    {
        DeclaredStructure[] all = [.. Register(), new DecimalJson()];
        _byEncoding = all.ToFrozenDictionary(static one => one.BinaryEncodingId);
        _byDataType = all.ToFrozenDictionary(static one => one.DataTypeId);
    }

    public static DeclaredStructures All { get; } = new();

    public IJsonStructureType? FindByEncoding(NodeId encodingId) => _byEncoding.GetValueOrDefault(encodingId);

    public IJsonStructureType? FindByDataType(NodeId dataTypeId) => _byDataType.GetValueOrDefault(dataTypeId);

    public NodeId DataTypeOf(NodeId encodingId) =>
        _byEncoding.TryGetValue(encodingId, out var declared) ? declared.DataTypeId : default;

    /// <summary>The codec declares the Default Binary encodings alone.</summary>
    public NodeId EncodingOf(NodeId dataTypeId, ExtensionObjectEncoding encoding) =>
        encoding == ExtensionObjectEncoding.Binary && _byDataType.TryGetValue(dataTypeId, out var declared)
            ? declared.BinaryEncodingId
            : default;

    // Generated: one line for each structure, ordered by DataType.
    private static partial DeclaredStructure[] Register();
}
