using System.Collections.Concurrent;
using Gateway.Codec.Structures;

namespace Gateway.Sources.OpcUa.Load;

/// <summary>How many operations of a service an upstream takes in a request, as far as it has refused more:
/// its OperationLimits may be missing or wrong. Threads: any.</summary>
internal sealed class LearnedSizes
{
    private readonly ConcurrentDictionary<Type, int> _most = new();

    public int Most(IServiceRequest request) => _most.GetValueOrDefault(request.GetType(), int.MaxValue);

    /// <summary>So many were too many.</summary>
    public void Refused(IServiceRequest request, int operations) =>
        _most.AddOrUpdate(
            request.GetType(), static (_, count) => Math.Max(1, count / 2),
            static (_, most, count) => Math.Min(most, Math.Max(1, count / 2)), operations);

    /// <summary>Another session: the server may be another one.</summary>
    public void Forget() => _most.Clear();
}
