namespace Gateway.Sources.OpcUa;

/// <summary>An upstream's answers go past a bound, and so the session with it ends.</summary>
internal sealed class UpstreamBoundException(UpstreamBound bound, string message)
    : Exception($"{message} (Limits:{bound})")
{
    public UpstreamBoundException()
        : this(default, "")
    {
    }

    public UpstreamBoundException(string message)
        : this(default, message)
    {
    }

    public UpstreamBoundException(string message, Exception innerException)
        : this(default, $"{message} ({innerException?.Message})")
    {
    }

    public UpstreamBound Bound { get; } = bound;
}
