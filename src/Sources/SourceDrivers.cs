using Gateway.AddressSpace.Nodes;
using Gateway.Sources.Health;
using Gateway.Sources.Upstreams;

namespace Gateway.Sources;

/// <summary>All drivers of a gateway, in the order of their registration. Threads: as for
/// <see cref="ISourceDriver"/>.</summary>
public sealed class SourceDrivers : IAsyncDisposable
{
    private readonly List<(string Name, ISourceDriver Driver)> _drivers = [];
    private readonly SourceMetrics _metrics;

    /// <summary>Makes each driver and claims its fixed namespaces. Errors: <see cref="ArgumentException"/> for a name
    /// that is registered twice.</summary>
    public SourceDrivers(IEnumerable<SourceDriverRegistration> registrations, SourceDriverContext context)
    {
        foreach (var registration in registrations.Where(static one => one.IsEnabled))
        {
            if (_drivers.Exists(other => other.Name == registration.Name))
                throw new ArgumentException($"The driver '{registration.Name}' is registered twice.");
            foreach (var uri in registration.FixedNamespaces)
                context.Nodes.Namespaces.GetOrAdd(uri);
            _drivers.Add((registration.Name, registration.Make(context)));
        }

        Names = [.. _drivers.Select(static one => one.Name)];
        _metrics = new SourceMetrics(this);
    }

    /// <summary>Of the drivers that are switched on.</summary>
    public IReadOnlyList<string> Names { get; }

    public void Prepare()
    {
        foreach (var (_, driver) in _drivers)
            driver.Prepare();
    }

    public void Start()
    {
        foreach (var (_, driver) in _drivers)
            driver.Start();
    }

    /// <summary>Null for a driver that is not registered, or is switched off.</summary>
    public ISourceDriver? Find(string name) => _drivers.Find(one => one.Name == name).Driver;

    /// <summary>Empty for a driver that is not registered.</summary>
    public IReadOnlyList<SourceReport> Report(string name) =>
        _drivers.Find(one => one.Name == name).Driver?.Report() ?? [];

    /// <summary>The configured upstreams of all drivers: by driver, then in the order of the configuration.</summary>
    public IEnumerable<UpstreamReport> Upstreams() =>
        _drivers.SelectMany(static one => one.Driver.Report()).OfType<UpstreamReport>();

    /// <summary>Null where no driver serves the node.</summary>
    public SourceTrace? Trace(NodeHandle node)
    {
        foreach (var (_, driver) in _drivers)
        {
            if (driver.Trace(node) is { } trace)
                return trace;
        }

        return null;
    }

    /// <summary>The last one first.</summary>
    public async ValueTask DisposeAsync()
    {
        _metrics.Dispose();
        for (var i = _drivers.Count - 1; i >= 0; i--)
            await _drivers[i].Driver.DisposeAsync().ConfigureAwait(false);
    }
}
