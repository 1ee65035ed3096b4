using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Conditions;
using Gateway.Operations.Methods;
using Gateway.Server.Sessions;
using Gateway.Server.Work;

namespace Gateway.Server.Conditions;

/// <summary>
/// The methods of conditions for Call. The ObjectId of most is a ConditionId, which no node needs to have: so they are
/// found before nodes are looked for. A refresh is called on ConditionType alone. Source: Part 9 §5.5.7, §5.7.3.
/// </summary>
internal sealed class ConditionMethods(ConditionTable conditions, ConditionOperations operations, MethodCaller caller)
    : IMethodSource
{
    private static readonly NodeId ConditionType = new(StandardIds.ObjectTypes.ConditionType);

    /// <summary>The methods of the types show that they can be called.</summary>
    public void Serve(NodeTable nodes)
    {
        foreach (var id in ConditionMethod.ById.Keys)
        {
            if (nodes.Find(new NodeId(id)) is { IsNone: false } method)
                nodes.SetSource(method, this);
        }
    }

    /// <summary>The call is about a condition of the gateway, it is a method of the standard for one of an upstream, or
    /// it is a refresh.</summary>
    public bool Handles(CallMethodRequest call) => call.ObjectId == ConditionType
        ? ConditionMethod.Find(call.MethodId) is not null
        : conditions.Find(call.ObjectId) is not null || IsForwarded(call);

    /// <summary>It has to go to the upstream.</summary>
    private bool IsForwarded(CallMethodRequest call) => ConditionMethod.FindForwarded(call.MethodId) is not null &&
        conditions.Mirrored.Find(call.ObjectId, []) is not null;

    /// <summary>Of a condition of an upstream. Null: it goes to the upstream, the source of the target; nothing is
    /// queued. Errors: as <see cref="ConditionOperations.CallAsync"/>; those of the arguments.</summary>
    private CallMethodResult? Forward(
        RequestTurn turn, CallMethodRequest call, out MethodTarget target, out Variant[] inputs)
    {
        (target, inputs) = (default, []);
        if (operations.FindMirrored(turn.Caller, call.ObjectId, []) is null)
            return Of(StatusCodes.BadNodeIdUnknown);
        var method = ConditionMethod.FindForwarded(call.MethodId)!;
        if (caller.Check(turn, new MethodTarget(default, default, this, method.Inputs), call.InputArguments,
            out inputs) is { } refused)
            return refused;
        var forwarded = new ForwardedCall(
            call.ObjectId, call.MethodId, inputs, turn.Identity?.LoginName, turn.Caller.Account);
        if (operations.FindMirrored(turn.Caller, call.ObjectId, forwarded.EventId) is not { } mirrored)
            return Of(StatusCodes.BadNodeIdUnknown);
        var status = operations.CheckMirrored(
            turn.Caller, mirrored, method.Act, new LocalizedText(forwarded.Comment));
        if (status.IsBad)
            return Of(status);
        // With the source as both: after a change of user its rights are looked at again.
        target = new MethodTarget(
            mirrored.Source, mirrored.Source, new ForwardedMethod(mirrored, forwarded), method.Inputs);
        return null;
    }

    /// <summary>Errors: Bad_MethodInvalid, Bad_NodeIdInvalid, those of the arguments; those of
    /// <see cref="ConditionOperations.Call"/> and <see cref="Gateway.Publish.PublishSession.RefreshConditions"/>.
    /// </summary>
    /// <param name="turn">The request's work.</param>
    /// <param name="call">One that is handled.</param>
    /// <param name="target">Where it goes, if null is returned.</param>
    /// <param name="inputs">For the target.</param>
    public CallMethodResult? Call(
        RequestTurn turn, CallMethodRequest call, out MethodTarget target, out Variant[] inputs)
    {
        (target, inputs) = (default, []);
        if (turn.IsSpent)
        {
            turn.CountRefused();
            return Of(StatusCodes.BadResourceUnavailable);
        }

        var isType = call.ObjectId == ConditionType;
        if (!isType && conditions.Find(call.ObjectId) is null && IsForwarded(call))
            return Forward(turn, call, out target, out inputs);
        // Nobody is told of a condition that is not for him, not even by another code.
        if (!isType && (conditions.Find(call.ObjectId) is not { } known ||
            !operations.IsVisible(turn.Caller, known.Source)))
            return Of(StatusCodes.BadNodeIdUnknown);
        if (ConditionMethod.Find(call.MethodId) is not { } method || (method.Act is null && !isType))
            return Of(StatusCodes.BadMethodInvalid);
        if (method.Act is not null && isType)
            return Of(StatusCodes.BadNodeIdInvalid);
        if (caller.Check(turn, new MethodTarget(default, default, this, method.Inputs), call.InputArguments,
            out inputs) is { } refused)
            return refused;
        return method.Act is { } act
            ? Of(operations.Call(
                turn.Caller, call.ObjectId, method.MakeCall(act, inputs, turn.Identity?.LoginName)))
            : Of(Refresh(turn.Session, inputs));
    }

    /// <summary>Another node has the method, such as a subtype of ConditionType.</summary>
    public ValueTask<CallMethodResult> CallAsync(
        NodeHandle obj, NodeHandle method, Variant[] inputs, CancellationToken ct) =>
        ValueTask.FromResult(Of(StatusCodes.BadNodeIdInvalid));

    private static StatusCode Refresh(Session? session, Variant[] inputs) => session?.Publishing is not { } publishing
        ? StatusCodes.BadSessionNotActivated
        : publishing.RefreshConditions(
            inputs[0].AsUInt32(), inputs.Length > 1 ? inputs[1].AsUInt32() : null);

    private static CallMethodResult Of(StatusCode status) => new() { StatusCode = status };
}
