using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Loadtest.Peers.Hostile;

namespace Gateway.Loadtest.Attacks.Upstream;

/// <summary>A NamespaceArray without end, the standard's URI in the middle of it, and a node in that namespace, in the
/// first of its own and in the last.</summary>
internal sealed class NamespacesScript(int count) : HostileScript
{
    /// <summary>Where the standard's URI is a second time.</summary>
    private const ushort Standard = 5;

    public const uint Forged = 999_999;

    private readonly string[] _uris =
    [
        "http://opcfoundation.org/UA/",
        .. Enumerable.Range(1, count - 1).Select(i =>
            i == Standard ? "http://opcfoundation.org/UA/" : $"urn:hostile:namespace:{i}"),
    ];

    public override DataValue Read(ReadValueId read) =>
        read.NodeId == new NodeId(StandardIds.Variables.Server_NamespaceArray)
            ? new DataValue(Variant.FromArray(BuiltInType.String, _uris))
            : base.Read(read);

    public override BrowseResult Browse(BrowseDescription browse) => browse.NodeId.NamespaceIndex != 0
        ? new BrowseResult()
        : new BrowseResult
        {
            References =
            [
                Reference(new NodeId(1, 1)), Reference(new NodeId(Forged, Standard)),
                Reference(new NodeId(2, (ushort)(Math.Min(count, ushort.MaxValue + 1) - 1))),
            ],
        };

    private static ReferenceDescription Reference(NodeId id) => new()
    {
        ReferenceTypeId = new NodeId(StandardIds.ReferenceTypes.Organizes),
        IsForward = true,
        NodeId = id,
        BrowseName = new QualifiedName("Node", id.NamespaceIndex),
        DisplayName = new LocalizedText("Node"),
        NodeClass = NodeClass.Object,
    };
}
