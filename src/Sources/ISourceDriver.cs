using Gateway.AddressSpace.Nodes;

namespace Gateway.Sources;

/// <summary>
/// A driver brings nodes from outside into the address space and serves them: it is registered once by its name
/// (<see cref="SourceDriverRegistration"/>) and has all connections that are configured for it. Its options are valid
/// when it is made; making it changes nothing yet. Shape: made → <see cref="Prepare"/> → <see cref="Start"/> →
/// disposed. Threads: the host calls these one after the other; <see cref="Report"/> from any.
/// </summary>
public interface ISourceDriver : IAsyncDisposable
{
    /// <summary>Adds the namespaces and nodes that exist from the beginning. Nothing listens yet. Errors:
    /// <see cref="InvalidOperationException"/>, fit to be printed: the gateway does not start.
    /// </summary>
    void Prepare();

    /// <summary>Values begin to move. Returns at once: connecting goes on for as long as the process lives.</summary>
    void Start();

    /// <summary>Each of its connections as it is now, in the order of the configuration.</summary>
    IReadOnlyList<SourceReport> Report();

    /// <summary>How the driver serves a node; null: it does not. Default: of no node.</summary>
    SourceTrace? Trace(NodeHandle node) => null;
}
