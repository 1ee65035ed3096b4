using Gateway.Codec.Types;

namespace Gateway.Sources.OpcUa.Load;

/// <summary>The gateway sends a client's request not to the upstream: its load is as high as it may be. Nothing of the
/// request was done.</summary>
internal sealed class UpstreamBudgetException(LoadBudget budget, string message) : Exception(message)
{
    public UpstreamBudgetException()
        : this(default, "")
    {
    }

    public UpstreamBudgetException(string message)
        : this(default, message)
    {
    }

    public UpstreamBudgetException(string message, Exception innerException)
        : this(default, $"{message} ({innerException?.Message})")
    {
    }

    /// <summary>Of each operation: it may be asked for again later. Source: Part 4 §7.38.2.</summary>
    public const uint Status = StatusCodes.BadResourceUnavailable;

    public LoadBudget Budget { get; } = budget;
}
