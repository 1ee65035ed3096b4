using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Access;
using Gateway.Server.Audit;
using Gateway.Server.Dispatch;
using Gateway.Server.Methods;
using Gateway.Server.Sessions;

namespace Gateway.Server.Services;

/// <summary>Call: the calls of one request run one after the other, each answered by its source without a thread held.
/// Source: Part 4 §5.12.</summary>
internal sealed class MethodService(
    MethodResolver resolver, ArgumentCheck arguments, NodeAccess access, DelayedCalls delayed, AuditLog audit,
    ServerLimits limits)
{
    public StatusCode Call(ref ServiceCall call)
    {
        if (!call.TryDecode<CallRequest>(out var request))
            return call.Whole.Status;
        var status = Operations.Check(request.MethodsToCall, limits.MaxNodesPerMethodCall);
        if (status.IsBad)
            return status;

        var calls = request.MethodsToCall!;
        var results = new CallMethodResult[calls.Length];
        var targets = new MethodTarget[calls.Length];
        var inputs = new Variant[calls.Length][];
        var open = 0;
        for (var i = 0; i < calls.Length; i++)
        {
            var found = resolver.Resolve(call.Roles, calls[i], out targets[i]);
            if (found.CodeBits == StatusCodes.BadUserAccessDenied)
                audit.Session(AuditEvent.CallRefused, call.Session, found, calls[i].MethodId.ToString());
            results[i] = found.IsBad
                ? new CallMethodResult { StatusCode = found }
                : arguments.Check(targets[i].InputArguments, calls[i].InputArguments, out inputs[i])!;
            if (results[i] is null && targets[i].Source is SubscriptionMethods own)
                results[i] = own.Call(call.Session, targets[i].Method, inputs[i]);
            if (results[i] is null)
                open++;
        }

        if (open == 0)
            return call.Reply(new CallResponse { Results = results });
        status = delayed.TryBegin(ref call, out var pending);
        if (status.IsBad)
            return status;
        _ = delayed.RunAsync(pending, CallAsync(pending, targets, inputs, results));
        return StatusCode.Good;
    }

    /// <summary>What the session's present user may not call either is not begun (R16).</summary>
    private async ValueTask<CallResponse> CallAsync(
        PendingRequest pending, MethodTarget[] targets, Variant[][] inputs, CallMethodResult[] results)
    {
        for (var i = 0; i < results.Length; i++)
        {
            if (results[i] is not null)
                continue;
            var target = targets[i];
            results[i] = pending.IsUserChanged && !access.MayCall(pending.Session.Roles, target.Object, target.Method)
                ? new CallMethodResult { StatusCode = StatusCodes.BadUserAccessDenied }
                : await target.Source.CallAsync(target.Object, target.Method, inputs[i], pending.CancellationToken)
                    .ConfigureAwait(false);
        }

        return new CallResponse { Results = results };
    }
}
