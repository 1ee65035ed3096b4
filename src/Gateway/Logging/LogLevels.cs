using Gateway.Host.Configuration;
using Gateway.Host.Reloading;
using Microsoft.Extensions.Options;
using Microsoft.Extensions.Primitives;

namespace Gateway.Host.Logging;

/// <summary>The levels of the log, which may change while the gateway runs: the framework asks for its filters again
/// when their token says so. Threads: any reads, one applies.</summary>
internal sealed class LogLevels(LogOptions options)
    : ILivePart, IPostConfigureOptions<LoggerFilterOptions>, IOptionsChangeTokenSource<LoggerFilterOptions>
{
    private volatile LogOptions _options = options;
    private volatile Change _change = new();

    public string Name => Options.DefaultName;

    public IReadOnlyList<string> Sections { get; } = ["Log"];

    public IChangeToken GetChangeToken() => _change.Token;

    public void PostConfigure(string? name, LoggerFilterOptions filters)
    {
        filters.MinLevel = _options.Level;
        foreach (var (category, level) in _options.Levels)
            filters.AddFilter(category, level);
    }

    public ValueTask ApplyAsync(GatewayOptions next, CancellationToken cancellation)
    {
        _options = next.Get<LogOptions>();
        Interlocked.Exchange(ref _change, new Change()).Fire();
        return ValueTask.CompletedTask;
    }

#pragma warning disable CA1001 // Without a timer or a wait handle the source holds nothing.
    private sealed class Change
#pragma warning restore CA1001
    {
        private readonly CancellationTokenSource _source = new();

        public Change() => Token = new CancellationChangeToken(_source.Token);

        public IChangeToken Token { get; }

        public void Fire() => _source.Cancel();
    }
}
