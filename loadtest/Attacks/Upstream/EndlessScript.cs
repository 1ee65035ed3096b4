using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Loadtest.Peers.Hostile;

namespace Gateway.Loadtest.Attacks.Upstream;

/// <summary>Every answer of a browse has a continuation point, for ever.</summary>
/// <param name="references">In each answer; 0: nothing but the continuation point.</param>
/// <param name="isNew">Other nodes each time; false: the same ones again.</param>
internal sealed class EndlessScript(int references, bool isNew) : HostileScript
{
    private static readonly NodeId Organizes = new(StandardIds.ReferenceTypes.Organizes);

    private readonly Lock _lock = new();
    private uint _last;

    public override DataValue Read(ReadValueId read) =>
        read.NodeId == new NodeId(StandardIds.Variables.Server_NamespaceArray)
            ? new DataValue(Variant.FromArray(
                BuiltInType.String, new[] { "http://opcfoundation.org/UA/", ApplicationUri, "urn:hostile:endless" }))
            : base.Read(read);

    public override BrowseResult Browse(BrowseDescription browse) => BrowseNext([]);

    public override BrowseResult BrowseNext(byte[] point)
    {
        var found = new ReferenceDescription[references];
        lock (_lock)
        {
            if (!isNew)
                _last = 0;
            for (var i = 0; i < found.Length; i++)
                found[i] = Reference(++_last);
        }

        return new BrowseResult { References = found, ContinuationPoint = [1] };
    }

    private static ReferenceDescription Reference(uint number) => new()
    {
        ReferenceTypeId = Organizes,
        IsForward = true,
        NodeId = new NodeId(number, 2),
        BrowseName = new QualifiedName("Node without end " + number, 2),
        DisplayName = new LocalizedText("Node without end " + number),
        NodeClass = NodeClass.Object,
    };
}
