using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Access;
using Gateway.Server.Audit;
using Gateway.Server.Dispatch;
using Gateway.Server.Methods;
using Gateway.Server.Sessions;
using Gateway.Server.Work;

namespace Gateway.Server.Services;

/// <summary>Call: the methods are found in turns (R44); then the calls of one request run one after the other, each
/// answered by its source without a thread held. Source: Part 4 §5.12.</summary>
internal sealed class MethodService(
    MethodResolver resolver, ArgumentCheck arguments, NodeAccess access, DelayedCalls delayed, AuditLog audit,
    WorkQueue work, ServerLimits limits)
{
    /// <summary>Of work, to find a method and check its arguments.</summary>
    private const int UnitsToResolve = 50;

    public StatusCode Call(ref ServiceCall call)
    {
        if (!call.TryDecode<CallRequest>(out var request, limits.MaxNodesPerMethodCall))
            return call.Whole.Status;
        var status = Operations.Check(request.MethodsToCall, limits.MaxNodesPerMethodCall);
        if (status.IsBad)
            return status;

        return call.Run(ResolveAsync(call.Turn, request.MethodsToCall!));
    }

    /// <summary>Null: some calls wait for their source.</summary>
    private async ValueTask<CallResponse?> ResolveAsync(WorkTurn turn, CallMethodRequest[] calls)
    {
        var results = new CallMethodResult[calls.Length];
        var targets = new MethodTarget[calls.Length];
        var inputs = new Variant[calls.Length][];
        var open = 0;
        for (var i = 0; i < calls.Length; i++)
        {
            if (!turn.Take(UnitsToResolve))
                await turn.NextAsync().ConfigureAwait(false);
            results[i] = Resolve(turn, calls[i], out targets[i], out inputs[i])!;
            if (results[i] is null)
                open++;
        }

        if (open == 0)
            return new CallResponse { Results = results };
        var pending = delayed.Begin(turn);
        _ = delayed.RunAsync(pending, CallAsync(pending, targets, inputs, results));
        return null;
    }

    /// <summary>Null where the source is to be asked.</summary>
    private CallMethodResult? Resolve(
        WorkTurn turn, CallMethodRequest call, out MethodTarget target, out Variant[] inputs)
    {
        (target, inputs) = (default, []);
        if (turn.IsSpent)
        {
            work.CountRefused();
            return new CallMethodResult { StatusCode = StatusCodes.BadResourceUnavailable };
        }

        var session = turn.Session!;
        var found = resolver.Resolve(turn.Caller, call, out target, out var looked);
        turn.Take(looked);
        if (Operations.IsRefused(found) && audit.TryList(AuditEvent.CallRefused, found))
            audit.List(
                AuditEvent.CallRefused, session, found,
                access.RefusalInWords(turn.Caller, call.ObjectId, call.MethodId));
        if (found.IsBad)
            return new CallMethodResult { StatusCode = found };
        var refused = arguments.Check(target.InputArguments, call.InputArguments, out inputs, out var units);
        turn.Take(units);
        if (refused is not null || target.Source is not SubscriptionMethods own)
            return refused;
        return CallOwn(turn, own, target.Method, inputs);
    }

    /// <summary>Results of many items wait for the rest of the request: they count as what it was decoded to (R43).
    /// Errors: Bad_ResponseTooLarge where that is too much.</summary>
    private static CallMethodResult CallOwn(
        WorkTurn turn, SubscriptionMethods own, NodeHandle method, Variant[] inputs)
    {
        const long BytesOfItem = 2 * sizeof(uint);
        if (!turn.TryHold(0))
            return new CallMethodResult { StatusCode = StatusCodes.BadResponseTooLarge };
        var result = own.Call(turn.Session!, method, inputs, out var items);
        turn.Take(items);
        return result.OutputArguments is { Length: > 0 } && !turn.TryHold(items * BytesOfItem)
            ? new CallMethodResult { StatusCode = StatusCodes.BadResponseTooLarge }
            : result;
    }

    /// <summary>What the session's present user may not call either is not begun (R16). Outputs that the request has no
    /// room for are dropped, their method done (Bad_ResponseTooLarge); those after it are not begun
    /// (Bad_ResourceUnavailable, R42).</summary>
    private async ValueTask<CallResponse> CallAsync(
        PendingRequest pending, MethodTarget[] targets, Variant[][] inputs, CallMethodResult[] results)
    {
        var allowance = new ValueAllowance(limits.MaxDecodedBytesPerRequest);
        for (var i = 0; i < results.Length; i++)
        {
            if (results[i] is not null)
                continue;
            if (allowance.IsSpent)
            {
                results[i] = new CallMethodResult { StatusCode = StatusCodes.BadResourceUnavailable };
                continue;
            }

            var target = targets[i];
            var status = pending.IsUserChanged
                ? access.CheckCall(pending.Session.Caller, target.Object, target.Method)
                : StatusCode.Good;
            results[i] = status.IsBad
                ? new CallMethodResult { StatusCode = status }
                : await target.Source.CallAsync(target.Object, target.Method, inputs[i], pending.CancellationToken)
                    .ConfigureAwait(false);
            if (!allowance.TryTake(results[i].OutputArguments))
                results[i] = new CallMethodResult { StatusCode = StatusCodes.BadResponseTooLarge };
        }

        return new CallResponse { Results = results };
    }
}
