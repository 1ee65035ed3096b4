using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations;
using Gateway.Operations.Access;
using Gateway.Operations.Methods;
using Gateway.Server.Audit;
using Gateway.Server.Audit.Trail;
using Gateway.Server.Conditions;
using Gateway.Server.Dispatch;
using Gateway.Server.ServerObject;
using Gateway.Server.Sessions;
using Gateway.Server.Work;

namespace Gateway.Server.Services;

/// <summary>Call. Finds the methods in turns (R44). Then the calls of one request run one after the other, and no
/// thread waits for a source. Source: Part 4 §5.12.</summary>
internal sealed class MethodService(
    MethodCaller caller, NodeAccess access, ConditionMethods conditions, DelayedCalls delayed, AuditLog audit,
    ServerLimits limits)
{
    public StatusCode Call(ref ServiceCall call)
    {
        if (!call.TryDecode<CallRequest>(out var request, limits.MaxNodesPerMethodCall))
            return call.Whole.Status;
        var status = OperationCount.Check(request.MethodsToCall, limits.MaxNodesPerMethodCall);
        if (status.IsBad)
            return status;

        return call.Run(ResolveAsync(call.Turn, request.MethodsToCall!, request.RequestHeader));
    }

    /// <summary>Null: some calls wait for their source.</summary>
    private async ValueTask<CallResponse?> ResolveAsync(
        RequestTurn turn, CallMethodRequest[] calls, RequestHeader header)
    {
        var entryId = header.AuditEntryId;
        var results = new CallMethodResult[calls.Length];
        var targets = new MethodTarget[calls.Length];
        var inputs = new Variant[calls.Length][];
        var open = 0;
        for (var i = 0; i < calls.Length; i++)
        {
            if (!turn.Take(MethodCaller.UnitsToResolve))
                await turn.NextAsync().ConfigureAwait(false);
            results[i] = Resolve(turn, calls[i], entryId, out targets[i], out inputs[i])!;
            if (results[i] is null)
                open++;
        }

        if (open == 0)
            return new CallResponse { Results = results };
        var pending = delayed.Begin(turn);
        var diagnostics = new CallDiagnostics(header.ReturnDiagnostics, calls.Length);
        _ = delayed.RunAsync(pending, CallAsync(pending, calls, entryId, targets, inputs, results, diagnostics));
        return null;
    }

    /// <summary>Null when the call must go to its source.</summary>
    private CallMethodResult? Resolve(
        RequestTurn turn, CallMethodRequest call, string? entryId, out MethodTarget target, out Variant[] inputs)
    {
        if (conditions.Handles(call))
        {
            var called = conditions.Call(turn, call, out target, out inputs);
            if (called is not null)
                TellOfCondition(turn, call, entryId, called);
            return called;
        }

        var result = caller.Resolve(turn, call, out target, out inputs);
        if (result is not null && AccessPolicy.IsRefusal(result.StatusCode))
            TellRefused(turn.Session!, turn.Caller, call, entryId, result.StatusCode);
        if (result is not null || target.Source is not SubscriptionMethods own)
            return result;
        result = CallOwn(turn, own, target.Method, inputs);
        TellCalled(turn.Session!, turn.Identity, call, entryId, result.StatusCode, result.OutputArguments);
        return result;
    }

    private void TellOfCondition(RequestTurn turn, CallMethodRequest call, string? entryId, CallMethodResult result)
    {
        if (AccessPolicy.IsRefusal(result.StatusCode))
            TellRefused(turn.Session!, turn.Caller, call, entryId, result.StatusCode);
        else
            TellCalled(turn.Session!, turn.Identity, call, entryId, result.StatusCode, result.OutputArguments);
    }

    /// <summary>Results with many items wait for the rest of the request, so they count as its decoded memory (R43).
    /// Errors: Bad_ResponseTooLarge above the limit.</summary>
    private static CallMethodResult CallOwn(
        RequestTurn turn, SubscriptionMethods own, NodeHandle method, Variant[] inputs)
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

    private async ValueTask<CallResponse> CallAsync(
        PendingRequest pending, CallMethodRequest[] calls, string? entryId, MethodTarget[] targets,
        Variant[][] inputs, CallMethodResult?[] known, CallDiagnostics diagnostics)
    {
        CallMethodResult[]? results = null;
        try
        {
            results = await caller.CallAsync(
                pending, targets, inputs, known, pending.CancellationToken, diagnostics, delayed.HoldFor(pending))
                .ConfigureAwait(false);
            return new CallResponse
            {
                ResponseHeader = new ResponseHeader { StringTable = diagnostics.StringTable },
                Results = results,
                DiagnosticInfos = diagnostics.Infos,
            };
        }
        finally
        {
            for (var i = 0; i < calls.Length; i++)
            {
                if (known[i] is null)
                    Tell(pending, calls[i], entryId, results?[i]);
            }
        }
    }

    /// <summary>A refusal after a change of user is ours: the gateway did not pass the call on to the source (R16).
    /// </summary>
    private void Tell(PendingRequest pending, CallMethodRequest call, string? entryId, CallMethodResult? result)
    {
        var status = result?.StatusCode ?? pending.StatusOfFailure;
        if (pending.IsUserChanged && AccessPolicy.IsRefusal(status))
            TellRefused(pending.Session, pending.PresentCaller, call, entryId, status);
        else
            TellCalled(pending.Session, pending.Identity, call, entryId, status, result?.OutputArguments);
    }

    private void TellRefused(
        Session session, in Caller user, CallMethodRequest call, string? entryId, StatusCode status)
    {
        if (audit.TryList(AuditEvent.CallRefused, status))
            audit.List(
                AuditEvent.CallRefused, session, status, access.RefusalInWords(user, call.ObjectId, call.MethodId),
                facts: new AuditFacts { EntryId = entryId, Request = call });
    }

    private void TellCalled(
        Session session, UserIdentity? identity, CallMethodRequest call, string? entryId, StatusCode status,
        Variant[]? outputs)
    {
        if (audit.Take(AuditEvent.Called, 1) > 0)
            audit.List(
                AuditEvent.Called, session, status, $"{call.MethodId} on {call.ObjectId}", identity,
                facts: new AuditFacts { EntryId = entryId, Request = call, Outputs = outputs });
    }
}
