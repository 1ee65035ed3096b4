namespace Gateway.Publish.Streams;

/// <summary>Options of the consumer of a <see cref="ValueStream"/>.</summary>
public sealed record StreamOptions
{
    /// <summary>How often changes are handed over, ms; revised like a publishing interval.</summary>
    public double IntervalMs { get; init; } = 1000;

    /// <summary>Changes of one batch; 0 for <see cref="PublishLimits.MaxNotificationsPerPublish"/>, which is also the
    /// most.</summary>
    public int MaxChangesPerBatch { get; init; }

    /// <summary>Batches that have been handed over and not been disposed: the bound of the channel; at least one.
    /// </summary>
    public int MaxBatches { get; init; } = 4;
}
