using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;
using Gateway.Events;
using Gateway.Events.Conditions;
using Gateway.Operations.Access;

namespace Gateway.Server.Conditions;

/// <summary>
/// The conditions of the gateway and of its upstreams for a caller, whatever protocol the caller uses. A condition
/// belongs to its source: a caller who may not receive the events of the source is told that there is no such
/// condition. A method takes the permission Call on the source. Everybody may call on the Server object, so it takes
/// <see cref="GatewayPermission.AnswerAlarms"/>, too, or <see cref="GatewayPermission.ManageAlarms"/> for what silences
/// an alarm for all. Thread-safe. Source: Part 9 §5.5 to §5.8.
/// </summary>
public sealed class ConditionOperations(ConditionTable conditions, NodeTable nodes, NodeAccess access)
{
    /// <summary>Errors: Bad_NodeIdUnknown, Bad_UserAccessDenied, Bad_SecurityModeInsufficient; those of
    /// <see cref="ConditionTable.Call"/>.</summary>
    public StatusCode Call(Caller caller, NodeId conditionId, in ConditionCall call)
    {
        if (conditions.Find(conditionId) is not { } definition || !IsVisible(caller, definition.Source))
            return StatusCodes.BadNodeIdUnknown;
        var source = SourceOf(definition.Source);
        var status = access.CheckCall(caller, source, source);
        if (status.IsGood)
            status = AccessPolicy.Check(caller, PermissionFor(call.Act));
        return status.IsGood ? conditions.Call(conditionId, call) : status;
    }

    /// <summary>The same, also for a condition of an upstream: Bad_NoCommunication at once while it is away, else its
    /// own answer.</summary>
    public async ValueTask<StatusCode> CallAsync(
        Caller caller, NodeId conditionId, ConditionCall call, CancellationToken cancellation)
    {
        if (conditions.Find(conditionId) is not null)
            return Call(caller, conditionId, call);
        if (FindMirrored(caller, conditionId, call.EventId) is not { } target)
            return StatusCodes.BadNodeIdUnknown;
        Variant[] inputs = [Variant.FromByteString(call.EventId), new Variant(call.Comment)];
        var status = CheckMirrored(caller, target, call.Act, call.Comment);
        if (status.IsBad)
            return status;
        var result = await target.CallAsync(
            new ForwardedCall(conditionId, ConditionMethod.IdOf(call.Act), inputs, call.User, caller.Account),
            cancellation).ConfigureAwait(false);
        return result.StatusCode;
    }

    /// <summary>Null: there is no such condition of an upstream for this caller.</summary>
    internal MirroredTarget? FindMirrored(Caller caller, NodeId conditionId, ReadOnlySpan<byte> eventId) =>
        conditions.Mirrored.Find(conditionId, eventId) is { Source.IsNone: false } target &&
        access.CheckEvents(caller, target.Source).IsGood ? target : null;

    /// <summary>Errors: Bad_UserAccessDenied, Bad_SecurityModeInsufficient; Bad_InvalidArgument for a comment that is
    /// too long.</summary>
    /// <param name="caller">The user.</param>
    /// <param name="target">Of the condition.</param>
    /// <param name="act">Null: one that only upstreams have.</param>
    /// <param name="comment">Of the call.</param>
    internal StatusCode CheckMirrored(
        Caller caller, in MirroredTarget target, ConditionAct? act, in LocalizedText comment)
    {
        var status = access.CheckCall(caller, target.Source, target.Source);
        if (status.IsGood)
            status = AccessPolicy.Check(
                caller, act is { } one ? PermissionFor(one) : GatewayPermission.AnswerAlarms);
        return status.IsGood && ConditionLimits.IsTooLong(comment, conditions.Limits)
            ? StatusCodes.BadInvalidArgument
            : status;
    }

    /// <summary>Those of interest, with their branches, of sources whose events the caller may receive: the most severe
    /// first.</summary>
    /// <param name="caller">The user.</param>
    /// <param name="most">So many at most.</param>
    /// <param name="total">Of all of them.</param>
    public List<ConditionReport> ReadRetained(Caller caller, int most, out int total)
    {
        var own = conditions.ReadRetained(most, one => IsVisible(caller, one.Source), out total);
        var mirrored = conditions.Mirrored.ReadRetained(
            most, source => access.CheckEvents(caller, source).IsGood, out var more);
        total += more;
        return [.. own.Concat(mirrored).OrderByDescending(static one => one.Severity).Take(most)];
    }

    /// <summary>Of the last events, the newest first, those of sources whose events the caller may receive.</summary>
    public List<ConditionReport> ReadHistory(Caller caller, int most)
    {
        var own = conditions.ReadHistory(most, one => IsVisible(caller, one.Source));
        var mirrored = conditions.Mirrored.ReadHistory(most, source => access.CheckEvents(caller, source).IsGood);
        return [.. own.Concat(mirrored).OrderByDescending(static one => one.Time).Take(most)];
    }

    /// <summary>Whether the caller may receive the events of a source.</summary>
    /// <param name="caller">The user.</param>
    /// <param name="source">Null: the Server object.</param>
    public bool IsVisible(Caller caller, NodeId source) =>
        ConditionSource.TryFind(nodes, source, out var found) && access.CheckEvents(caller, found).IsGood;

    private NodeHandle SourceOf(NodeId source) =>
        ConditionSource.TryFind(nodes, source, out var found) ? found : default;

    private static GatewayPermission PermissionFor(ConditionAct act) => act switch
    {
        ConditionAct.AddComment or ConditionAct.Acknowledge or ConditionAct.Confirm or ConditionAct.TimedShelve
            or ConditionAct.OneShotShelve or ConditionAct.Unshelve => GatewayPermission.AnswerAlarms,
        _ => GatewayPermission.ManageAlarms,
    };
}
