using Gateway.AddressSpace.Sources;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Operations.Work;

namespace Gateway.Operations.Methods;

/// <summary>Call. Finds the methods one after the other. Then the calls of one request run one after the other, and no
/// thread waits for a source. Thread-safe. Source: Part 4 §5.12.</summary>
public sealed class MethodCaller(
    MethodResolver resolver, ArgumentCheck arguments, NodeAccess access, OperationLimits limits)
{
    /// <summary>Work units to find a method and check its arguments.</summary>
    public const int UnitsToResolve = 50;

    /// <summary>Null if the source must be called; otherwise the result without a call.</summary>
    /// <param name="turn">The request's work.</param>
    /// <param name="call">As received.</param>
    /// <param name="target">The method and its source.</param>
    /// <param name="inputs">The inputs for the source.</param>
    public CallMethodResult? Resolve(
        WorkTurn turn, CallMethodRequest call, out MethodTarget target, out Variant[] inputs)
    {
        inputs = [];
        var found = Find(turn, call, out target);
        return found.IsBad ? Refused(found) : Check(turn, target, call.InputArguments, out inputs);
    }

    /// <summary>The first half of <see cref="Resolve"/>, for callers that need the method before they can decode its
    /// inputs. Errors: as <see cref="MethodResolver.Resolve"/>; Bad_ResourceUnavailable.</summary>
    public StatusCode Find(WorkTurn turn, CallMethodRequest call, out MethodTarget target)
    {
        target = default;
        if (turn.IsSpent)
        {
            turn.CountRefused();
            return StatusCodes.BadResourceUnavailable;
        }

        var found = resolver.Resolve(turn.Caller, call, out target, out var looked);
        turn.Take(looked);
        return found;
    }

    /// <summary>The second half. Null: the inputs fit.</summary>
    public CallMethodResult? Check(WorkTurn turn, in MethodTarget target, Variant[]? given, out Variant[] inputs)
    {
        var refused = arguments.Check(target.InputArguments, given, out inputs, out var units);
        turn.Take(units);
        return refused;
    }

    /// <summary>Runs the calls without a result. A call that the present user may not make is not begun (R16). Outputs
    /// above the request's memory limit, or that <paramref name="hold"/> refuses, are dropped after their method ran
    /// (Bad_ResponseTooLarge); later calls are not begun (Bad_ResourceUnavailable, R42).</summary>
    public async ValueTask<CallMethodResult[]> CallAsync(
        IRequester requester, MethodTarget[] targets, Variant[][] inputs, CallMethodResult?[] results,
        CancellationToken cancellationToken, CallDiagnostics? diagnostics = null, Func<long, bool>? hold = null)
    {
        var allowance = new ValueAllowance(limits.MaxAnswerBytesPerRequest, hold);
        var all = new CallMethodResult[results.Length];
        for (var i = 0; i < results.Length; i++)
        {
            if (results[i] is { } known)
                all[i] = known;
            else if (allowance.IsSpent)
                all[i] = Refused(StatusCodes.BadResourceUnavailable);
            else
                all[i] = await CallAsync(
                    requester, targets[i], inputs[i], allowance, diagnostics, i, cancellationToken)
                    .ConfigureAwait(false);
        }

        return all;
    }

    private async ValueTask<CallMethodResult> CallAsync(
        IRequester requester, MethodTarget target, Variant[] inputs, ValueAllowance allowance,
        CallDiagnostics? diagnostics, int call, CancellationToken cancellationToken)
    {
        var status = requester.IsUserChanged
            ? access.CheckCall(requester.PresentCaller, target.Object, target.Method)
            : StatusCode.Good;
        if (status.IsBad)
            return Refused(status);
        if (diagnostics is { Asked: > 0 } && target.Source is IDiagnosingSource diagnosing)
        {
            var diagnosed = await diagnosing.CallAsync(
                target.Object, target.Method, inputs, requester.Caller.Account, diagnostics.Asked, cancellationToken)
                .ConfigureAwait(false);
            return allowance.TryTake(diagnosed.Result.OutputArguments)
                ? diagnostics.Take(call, diagnosed)
                : Refused(StatusCodes.BadResponseTooLarge);
        }

        var calling = target.Source is ISharedSource shared
            ? shared.CallAsync(target.Object, target.Method, inputs, requester.Caller.Account, cancellationToken)
            : target.Source.CallAsync(target.Object, target.Method, inputs, cancellationToken);
        var result = await calling.ConfigureAwait(false);
        return allowance.TryTake(result.OutputArguments) ? result : Refused(StatusCodes.BadResponseTooLarge);
    }

    private static CallMethodResult Refused(StatusCode status) => new() { StatusCode = status };
}
