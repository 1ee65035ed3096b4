using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Publish;

namespace Gateway.Server.Streams;

/// <summary>What a caller without a session may monitor: what he may read (R36), and as he sees it.</summary>
internal sealed class CallerItemAccess(Caller caller, NodeAccess access) : IItemAccess
{
    public StatusCode CheckMonitor(NodeHandle node, AttributeId attribute) => access.CheckRead(caller, node, attribute);

    public bool IsVisible(NodeHandle node) => access.IsVisible(caller, node);

    public bool TryReadUserAttribute(NodeHandle node, AttributeId attribute, out Variant value) =>
        access.TryReadUserAttribute(caller, node, attribute, out value);
}
