using Gateway.Host.Configuration;

namespace Gateway.Host.Reloading;

/// <summary>A part of the gateway that takes over another configuration while it runs.</summary>
internal interface ILivePart
{
    /// <summary>The sections that it reads: <c>Users</c>.</summary>
    IReadOnlyList<string> Sections { get; }

    /// <summary>Called when a key of its sections has changed; one call at a time. Errors of the user were found
    /// before, so it does not fail by them. Returns once new work goes by the new configuration.</summary>
    /// <param name="next">Without errors.</param>
    /// <param name="cancellation">The gateway stops.</param>
    ValueTask ApplyAsync(GatewayOptions next, CancellationToken cancellation);
}
