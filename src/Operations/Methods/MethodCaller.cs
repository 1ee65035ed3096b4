using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Operations.Work;

namespace Gateway.Operations.Methods;

/// <summary>Call: the methods are found one after the other, then the calls of one request run one after the other,
/// each answered by its source without a thread held. Thread-safe. Source: Part 4 §5.12.</summary>
public sealed class MethodCaller(
    MethodResolver resolver, ArgumentCheck arguments, NodeAccess access, OperationLimits limits)
{
    /// <summary>Of work, to find a method and check its arguments.</summary>
    public const int UnitsToResolve = 50;

    /// <summary>Null where the source is to be asked; else why it is not.</summary>
    /// <param name="turn">Of the request.</param>
    /// <param name="call">As it came.</param>
    /// <param name="target">Whom to ask.</param>
    /// <param name="inputs">To be passed on.</param>
    public CallMethodResult? Resolve(
        WorkTurn turn, CallMethodRequest call, out MethodTarget target, out Variant[] inputs)
    {
        inputs = [];
        var found = Find(turn, call, out target);
        return found.IsBad ? Refused(found) : Check(turn, target, call.InputArguments, out inputs);
    }

    /// <summary>The first half of <see cref="Resolve"/>, for those who have to know the method to read its inputs.
    /// Errors: as <see cref="MethodResolver.Resolve"/>; Bad_ResourceUnavailable.</summary>
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

    /// <summary>Calls those that have no result yet. What the present user may not call either is not begun (R16).
    /// Outputs that the request has no room for are dropped, their method done (Bad_ResponseTooLarge); those after it
    /// are not begun (Bad_ResourceUnavailable, R42).</summary>
    public async ValueTask<CallMethodResult[]> CallAsync(
        IRequester requester, MethodTarget[] targets, Variant[][] inputs, CallMethodResult?[] results,
        CancellationToken cancellationToken)
    {
        var allowance = new ValueAllowance(limits.MaxAnswerBytesPerRequest);
        var all = new CallMethodResult[results.Length];
        for (var i = 0; i < results.Length; i++)
        {
            if (results[i] is { } known)
                all[i] = known;
            else if (allowance.IsSpent)
                all[i] = Refused(StatusCodes.BadResourceUnavailable);
            else
                all[i] = await CallAsync(requester, targets[i], inputs[i], allowance, cancellationToken)
                    .ConfigureAwait(false);
        }

        return all;
    }

    private async ValueTask<CallMethodResult> CallAsync(
        IRequester requester, MethodTarget target, Variant[] inputs, ValueAllowance allowance,
        CancellationToken cancellationToken)
    {
        var status = requester.IsUserChanged
            ? access.CheckCall(requester.PresentCaller, target.Object, target.Method)
            : StatusCode.Good;
        if (status.IsBad)
            return Refused(status);
        var result = await target.Source.CallAsync(target.Object, target.Method, inputs, cancellationToken)
            .ConfigureAwait(false);
        return allowance.TryTake(result.OutputArguments) ? result : Refused(StatusCodes.BadResponseTooLarge);
    }

    private static CallMethodResult Refused(StatusCode status) => new() { StatusCode = status };
}
