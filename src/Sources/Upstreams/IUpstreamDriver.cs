namespace Gateway.Sources.Upstreams;

/// <summary>A driver of which <c>Upstreams</c> has an element for each connection.</summary>
/// <typeparam name="TOptions">Of one upstream.</typeparam>
public interface IUpstreamDriver<TOptions> : ISourceDriver
{
    /// <summary>Other upstreams from now on, in this order, while the driver runs. Those that are configured as before
    /// go on untouched; one that is no longer there ends, and its nodes go. Returns once those that end have ended; new
    /// ones connect by themselves.</summary>
    /// <param name="next">Valid.</param>
    Task ApplyAsync(TOptions[] next);
}
