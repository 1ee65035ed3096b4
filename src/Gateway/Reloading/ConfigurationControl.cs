using System.Runtime.InteropServices;
using Gateway.Host.Configuration;
using Gateway.Rest.Management;
using Gateway.Transport.Timing;

namespace Gateway.Host.Reloading;

/// <summary>
/// The configuration of the running gateway. A reload reads all of it anew and checks it whole: one error, and all
/// stays as it was. Then each part whose sections have changed takes them over; sessions stay. Keys that need a restart
/// keep their values, and the rest has to be right together with these. Threads: any; one reload or check at a time.
/// </summary>
internal sealed partial class ConfigurationControl(
    ConfigurationLayers start, Func<IEnumerable<ILivePart>> parts, ReloadCounters counters, TimeProvider time,
    IHostApplicationLifetime lifetime, ILogger<ConfigurationControl> logger) : IConfigurationControl, IDisposable
{
    /// <param name="Read">As it was read.</param>
    /// <param name="InForce">The part of it that needs no restart, with the rest as at the start.</param>
    private sealed record NextConfiguration(ConfigurationLayers Read, GatewayOptions InForce);

    private readonly ILogger _logger = logger;
    private readonly SemaphoreSlim _turn = new(1);

    // A check of a large text takes a while: no reload waits for it.
    private readonly SemaphoreSlim _checks = new(1);
    /// <summary>VersionTime of what is in force.</summary>
    private uint _version = VersionOf(time.GetUtcNow());

    private volatile ConfigurationState _state = new(start, start, start, Last: null);

    public ConfigurationState State => _state;

    public ConfigurationReload? Last => _state.Last;

    public async Task<ConfigurationVerdict> CheckAsync(ReadOnlyMemory<byte> json)
    {
        await _checks.WaitAsync().ConfigureAwait(false);
        try
        {
            using var text = TextOf(json);
            return Judge(() => start.Source.Read(text), out _);
        }
        finally
        {
            _checks.Release();
        }
    }

    public async Task<ConfigurationReload> ReloadAsync(string by)
    {
        await _turn.WaitAsync().ConfigureAwait(false);
        try
        {
            var verdict = Judge(ReadAnew, out var next);
            List<string> failed = [];
            if (next is not null)
                (verdict, failed) = await ApplyAsync(verdict, next).ConfigureAwait(false);
            var before = _version;
            if (next is not null)
                _version = Math.Max(before + 1, VersionOf(time.GetUtcNow()));
            var reload = new ConfigurationReload(time.GetUtcNow().UtcDateTime, by, verdict)
            {
                Versions = (before, _version),
            };
            // A section that a part could not take over stays as it was, so that the next reload tries it again.
            _state = next is not null
                ? new(start, next.InForce.Layers.Keeping(_state.InForce, key => IsIn(key, failed)), next.Read, reload)
                : _state with { Last = reload };
            counters.Count(verdict, _state.Pending.Count);
            Tell(reload);
            return reload;
        }
        finally
        {
            _turn.Release();
        }
    }

    public void Dispose()
    {
        _turn.Dispose();
        _checks.Dispose();
    }

    /// <summary>A file that has vanished would mean its defaults: other users, and no upstreams.</summary>
    private ConfigurationLayers ReadAnew()
    {
        var read = start.Source.Read();
        return _state.Read.Files.Except(read.Files).FirstOrDefault() is { } gone
            ? throw new InvalidDataException($"{gone}: the file is no longer there")
            : read;
    }

    /// <summary>Seconds since the year 2000. Source: Part 4, VersionTime.</summary>
    private static uint VersionOf(DateTimeOffset now) =>
        (uint)Math.Max(1, (now - new DateTimeOffset(2000, 1, 1, 0, 0, 0, TimeSpan.Zero)).TotalSeconds);

    private static bool IsIn(string key, IReadOnlyList<string> sections) =>
        sections.Any(section => key.StartsWith(section, StringComparison.OrdinalIgnoreCase));

    /// <param name="read">The configuration.</param>
    /// <param name="next">Null where there are errors.</param>
    private ConfigurationVerdict Judge(
        Func<ConfigurationLayers> read, out NextConfiguration? next)
    {
        next = null;
        try
        {
            var layers = read();
            var options = new GatewayOptions(layers);
            var errors = options.FindErrors();
            var live = new GatewayOptions(layers.Keeping(start, key => !LiveKeys.Contains(key, start)));
            if (errors.Count == 0)
                errors = [.. live.FindErrors().Select(static error => error + " (until the restart)")];
            if (errors.Count > 0)
                return new() { Errors = [.. errors.Select(ConfigurationFault.Of)] };
            next = new(layers, live);
            return new()
            {
                Errors = [],
                Warnings = options.Get<ConfigurationReport>().Warnings,
                Changes = ConfigurationDiff.Between(_state.InForce, layers, start),
            };
        }
        catch (InvalidDataException error)
        {
            return new() { Errors = [new("", error.Message)] };
        }
    }

    /// <summary>A fault of ours in one part ends neither the gateway nor the other parts' work.</summary>
    /// <returns>The verdict with the faults, and the sections that were not taken over.</returns>
    private async Task<(ConfigurationVerdict Verdict, List<string> Failed)> ApplyAsync(
        ConfigurationVerdict verdict, NextConfiguration next)
    {
        var changed = verdict.Changes.Where(static one => !one.NeedsRestart).Select(static one => one.Key).ToList();
        var faults = new List<ConfigurationFault>();
        var failed = new List<string>();
        foreach (var part in parts().Where(part => changed.Exists(key => IsIn(key, part.Sections))))
        {
            try
            {
                await part.ApplyAsync(next.InForce, lifetime.ApplicationStopping).ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (lifetime.ApplicationStopping.IsCancellationRequested)
            {
                break;
            }
            catch (NotTakenOverException error)
            {
                failed.AddRange(part.Sections);
                foreach (var problem in error.Problems)
                {
                    LogNotTakenOver(problem);
                    faults.Add(ConfigurationFault.Of(problem));
                }
            }
#pragma warning disable CA1031 // The other parts go on.
            catch (Exception error)
#pragma warning restore CA1031
            {
                failed.AddRange(part.Sections);
                Contained.Report(error, LogPartFailed);
                faults.Add(new(part.Sections[0], "could not be taken over; the gateway's log says why"));
            }
        }

        return (faults.Count == 0 ? verdict : verdict with { Faults = faults }, failed);
    }

    private void Tell(ConfigurationReload reload)
    {
        var verdict = reload.Verdict;
        foreach (var error in verdict.Errors)
            LogError(error.Key, error.Problem);
        if (!verdict.IsGood)
            LogRejected(reload.By, verdict.Errors.Count);
        foreach (var change in verdict.Changes)
        {
            var (from, to) = (TextOf(change, change.From), TextOf(change, change.To));
            if (change.NeedsRestart)
                LogNeedsRestart(change.Key);
            else
                LogChanged(change.Key, from, to);
        }

        var waiting = verdict.Changes.Count(static one => one.NeedsRestart);
        var applied = verdict.Changes.Count - waiting;
        if (verdict.IsGood)
            LogApplied(reload.By, applied, waiting);
    }

    private static string TextOf(ConfigurationChange change, string? value) =>
        change.IsSecret ? "a secret" : value ?? "not there";

    private static MemoryStream TextOf(ReadOnlyMemory<byte> json) =>
        MemoryMarshal.TryGetArray(json, out var bytes)
            ? new(bytes.Array!, bytes.Offset, bytes.Count, writable: false)
            : new(json.ToArray(), writable: false);
}
