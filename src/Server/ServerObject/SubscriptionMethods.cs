using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish;
using Gateway.Server.Sessions;
using static Gateway.Codec.Types.StandardIds.Methods;

namespace Gateway.Server.ServerObject;

/// <summary>GetMonitoredItems, ResendData and SetSubscriptionDurable of the Server object: they act on the caller's own
/// subscriptions, so the standard lets every role call them. Source: Part 5 §9.1 to §9.3.</summary>
internal sealed class SubscriptionMethods : IMethodSource
{
    private readonly NodeHandle _getMonitoredItems;
    private readonly NodeHandle _resendData;
    private readonly NodeHandle _setDurable;

    private SubscriptionMethods(NodeHandle getMonitoredItems, NodeHandle resendData, NodeHandle setDurable) =>
        (_getMonitoredItems, _resendData, _setDurable) = (getMonitoredItems, resendData, setDurable);

    /// <summary>Makes it the source of its methods.</summary>
    /// <param name="nodes">With the Server object.</param>
    /// <param name="offersDurable">Subscriptions may become durable.</param>
    public static void Serve(NodeTable nodes, bool offersDurable)
    {
        var get = nodes.Find(new NodeId(Server_GetMonitoredItems));
        var resend = nodes.Find(new NodeId(Server_ResendData));
        var setDurable = offersDurable ? nodes.Find(new NodeId(Server_SetSubscriptionDurable)) : default;
        var methods = new SubscriptionMethods(get, resend, setDurable);
        foreach (var method in new[] { get, resend, setDurable })
        {
            if (!method.IsNone)
                nodes.SetSource(method, methods);
        }
    }

    /// <summary>Errors: Bad_SubscriptionIdInvalid; Bad_UserAccessDenied for another session's subscription; those of
    /// <see cref="Gateway.Publish.PublishSession.SetSubscriptionDurable"/>.</summary>
    /// <param name="session">The caller.</param>
    /// <param name="method">One of them.</param>
    /// <param name="inputs">Checked.</param>
    /// <param name="items">Looked at: units of work.</param>
    public CallMethodResult Call(Session session, NodeHandle method, Variant[] inputs, out int items)
    {
        items = 0;
        var subscriptionId = inputs[0].AsUInt32();
        if (session.Publishing is not { } publishing)
            return new CallMethodResult { StatusCode = StatusCodes.BadSessionNotActivated };
        if (method == _resendData)
            return new CallMethodResult { StatusCode = publishing.ResendData(subscriptionId, out items) };
        if (method == _setDurable)
            return SetDurable(publishing, subscriptionId, inputs[1].AsUInt32());
        if (method != _getMonitoredItems)
            return new CallMethodResult { StatusCode = StatusCodes.BadNotImplemented };
        var status = publishing.GetMonitoredItems(subscriptionId, out var serverHandles, out var clientHandles);
        items = serverHandles.Length;
        return new CallMethodResult
        {
            StatusCode = status,
            OutputArguments = status.IsBad ? [] :
            [
                Variant.FromArray(BuiltInType.UInt32, serverHandles),
                Variant.FromArray(BuiltInType.UInt32, clientHandles),
            ],
        };
    }

    private static CallMethodResult SetDurable(PublishSession publishing, uint subscriptionId, uint hours)
    {
        var status = publishing.SetSubscriptionDurable(subscriptionId, hours, out var revisedHours);
        return new CallMethodResult
        {
            StatusCode = status,
            OutputArguments = status.IsBad ? [] : [new Variant(revisedHours)],
        };
    }

    /// <summary>Without a session there is no subscription of the caller's.</summary>
    public ValueTask<CallMethodResult> CallAsync(
        NodeHandle obj, NodeHandle method, Variant[] inputs, CancellationToken ct) =>
        ValueTask.FromResult(new CallMethodResult { StatusCode = StatusCodes.BadNotImplemented });
}
