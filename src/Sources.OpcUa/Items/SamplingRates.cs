namespace Gateway.Sources.OpcUa.Items;

/// <summary>The sampling intervals that are asked of the upstream, and the least that it can give. Owner:
/// <see cref="UpstreamItems"/>, under its lock.</summary>
internal sealed class SamplingRates(double requestedMs)
{
    /// <summary>Of nodes that nobody wants as often as we may ask.</summary>
    private readonly Dictionary<int, float> _slower = [];

    /// <summary>The fastest that may be asked.</summary>
    public double RequestedMs { get; set; } = requestedMs;

    /// <summary>Of the last connection; 0 as long as there was none.</summary>
    public double RevisedPublishingMs { get; set; }

    public double PublishingMs => Math.Max(RevisedPublishingMs, RequestedMs);

    public float AskedMs(int node) => _slower.GetValueOrDefault(node, (float)RequestedMs);

    /// <summary>NaN says nothing.</summary>
    public float Granted(double intervalMs) => (float)(intervalMs > PublishingMs ? intervalMs : PublishingMs);

    public void Set(int node, double intervalMs)
    {
        if (intervalMs > RequestedMs)
            _slower[node] = (float)intervalMs;
        else
            _slower.Remove(node);
    }

    public void Remove(int node) => _slower.Remove(node);
}
