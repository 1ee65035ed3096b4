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
    private volatile ConfigurationState _state = new(start, start, start, Last: null);

    public ConfigurationState State => _state;

    public ConfigurationReload? Last => _state.Last;

    public async Task<ConfigurationVerdict> CheckAsync(ReadOnlyMemory<byte> json)
    {
        await _turn.WaitAsync().ConfigureAwait(false);
        try
        {
            using var text = TextOf(json);
            return Judge(() => start.Source.Read(text), out _);
        }
        finally
        {
            _turn.Release();
        }
    }

    public async Task<ConfigurationReload> ReloadAsync(string by)
    {
        await _turn.WaitAsync().ConfigureAwait(false);
        try
        {
            var verdict = Judge(start.Source.Read, out var next);
            if (next is not null)
                verdict = await ApplyAsync(verdict, next).ConfigureAwait(false);
            var reload = new ConfigurationReload(time.GetUtcNow().UtcDateTime, by, verdict);
            _state = next is not null
                ? new(start, next.InForce.Layers, next.Read, reload)
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

    public void Dispose() => _turn.Dispose();

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
    private async Task<ConfigurationVerdict> ApplyAsync(
        ConfigurationVerdict verdict, NextConfiguration next)
    {
        var changed = verdict.Changes.Where(static one => !one.NeedsRestart).Select(static one => one.Key).ToList();
        var faults = new List<ConfigurationFault>();
        foreach (var part in parts().Where(part => changed.Exists(key => part.Sections.Any(
            section => key.StartsWith(section, StringComparison.OrdinalIgnoreCase)))))
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
                Contained.Report(error, LogPartFailed);
                faults.Add(new(part.Sections[0], "could not be taken over; the gateway's log says why"));
            }
        }

        return faults.Count == 0 ? verdict : verdict with { Faults = faults };
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
