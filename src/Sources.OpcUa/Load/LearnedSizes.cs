using System.Collections.Concurrent;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Sources.OpcUa.Load;

/// <summary>How many operations of a service an upstream takes in a request, as far as it has refused more:
/// its OperationLimits may be missing or wrong. A refusal for bytes says something about these values alone: one
/// client's large ones must not cut the requests of all others (R46). Of the gateway's own requests it is remembered,
/// because these ask for the same again. Threads: any.</summary>
internal sealed class LearnedSizes
{
    private readonly ConcurrentDictionary<Type, int> _ofAll = new();
    private readonly ConcurrentDictionary<Type, int> _ofGateway = new();

    /// <param name="request">Of the service.</param>
    /// <param name="isOwn">The gateway asks, and no client of it.</param>
    public int Most(IServiceRequest request, bool isOwn)
    {
        var most = _ofAll.GetValueOrDefault(request.GetType(), int.MaxValue);
        return isOwn ? Math.Min(most, _ofGateway.GetValueOrDefault(request.GetType(), int.MaxValue)) : most;
    }

    /// <summary>So many were too many. Returns how many to try next.</summary>
    /// <param name="request">Of the service.</param>
    /// <param name="operations">Of the refused request.</param>
    /// <param name="status">Of the refusal.</param>
    /// <param name="isOwn">The gateway asked, and no client of it.</param>
    public int Refused(IServiceRequest request, int operations, StatusCode status, bool isOwn)
    {
        var half = Math.Max(1, operations / 2);
        if (status.CodeBits == StatusCodes.BadTooManyOperations)
            Learn(_ofAll, request, half);
        else if (isOwn)
            Learn(_ofGateway, request, half);
        return half;
    }

    /// <summary>Another session: the server may be another one.</summary>
    public void Forget()
    {
        _ofAll.Clear();
        _ofGateway.Clear();
    }

    private static void Learn(ConcurrentDictionary<Type, int> most, IServiceRequest request, int count) =>
        most.AddOrUpdate(
            request.GetType(), static (_, count) => count, static (_, most, count) => Math.Min(most, count), count);
}
