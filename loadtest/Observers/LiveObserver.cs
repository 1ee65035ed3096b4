using System.Diagnostics;
using System.Text.Json;
using Gateway.Loadtest.Machine;

namespace Gateway.Loadtest.Observers;

/// <summary>
/// The good clients beside which something bad happens, in a process of their own (<see cref="LiveWorker"/>), so that
/// the work of the bad clients in this one does not make them look late. Use: <see cref="StartAsync"/> opens the
/// sessions and learns their cycles, <see cref="BeginAsync"/> starts a measurement, <see cref="StopAsync"/> ends it
/// while the sessions stay and are still checked, <see cref="EndAsync"/> closes them.
/// </summary>
internal sealed class LiveObserver : IAsyncDisposable
{
    private readonly Process _process;
    private readonly CancellationToken _cancellation;
    private bool _isMeasuring;

    private LiveObserver(Process process, CancellationToken cancellation)
    {
        _process = process;
        _cancellation = cancellation;
        Probe = new ProcessProbe(process.Id);
    }

    /// <summary>Its CPU is a driver's, too.</summary>
    public ProcessProbe Probe { get; }

    /// <summary>When the measurement began, of the monotonic clock that both processes share.</summary>
    public long Begun { get; private set; }

    /// <summary>Errors: InvalidOperationException with its words.</summary>
    /// <param name="context">Names the server.</param>
    /// <param name="settings">Its Run is filled in here.</param>
    public static async Task<LiveObserver> StartAsync(RunContext context, LiveSettings settings)
    {
        context.Progress.Begin($"opening {settings.Sessions} live sessions");
        var start = new ProcessStartInfo("dotnet")
        {
            ArgumentList = { typeof(LiveObserver).Assembly.Location, LiveWorker.Command },
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        };
        var complete = JsonSerializer.Serialize(
            settings with
            {
                Run = context.Options with { Url = context.Url, GatewayDll = null, IsRemoteAllowed = true },
                Password = context.Options.Password,
            }, LiveJson.Options);
        var process = Process.Start(start)!;
        try
        {
            var observer = new LiveObserver(process, context.Cancellation);
            await observer.SayAsync(complete);
            await observer.HearAsync("@ready");
            return observer;
        }
        catch
        {
            await KillAsync(process);
            throw;
        }
    }

    public async Task BeginAsync()
    {
        await SayAsync("begin");
        await HearAsync("@begun");
        _isMeasuring = true;
        Begun = TimeProvider.System.GetTimestamp();
    }

    /// <summary>Of lateness and newcomers; lost and missing values count until the end.</summary>
    /// <returns>The lateness of all messages since <see cref="BeginAsync"/>.</returns>
    public async Task<LiveSecond> StopAsync()
    {
        await SayAsync("stop");
        var lateness = await HearAsync("@stopped");
        _isMeasuring = false;
        return JsonSerializer.Deserialize<LiveSecond>(lateness, LiveJson.Options) ??
            throw new InvalidOperationException("the live observer gave no lateness");
    }

    public async Task<LiveResult> EndAsync()
    {
        if (_isMeasuring)
            await StopAsync();
        await SayAsync("end");
        var text = await HearAsync("@result");
        await _process.WaitForExitAsync(_cancellation);
        return JsonSerializer.Deserialize<LiveResult>(text, LiveJson.Options) ??
            throw new InvalidOperationException("the live observer gave no result");
    }

    public async ValueTask DisposeAsync()
    {
        await KillAsync(_process);
        Probe.Dispose();
    }

    private static async Task KillAsync(Process process)
    {
        if (!process.HasExited)
            process.Kill();
        await process.WaitForExitAsync(CancellationToken.None);
        process.Dispose();
    }

    private async Task SayAsync(string line)
    {
        await _process.StandardInput.WriteLineAsync(line.AsMemory(), _cancellation);
        await _process.StandardInput.FlushAsync(_cancellation);
    }

    private async Task<string> HearAsync(string word)
    {
        while (await _process.StandardOutput.ReadLineAsync(_cancellation) is { } line)
        {
            if (line.StartsWith(word, StringComparison.Ordinal))
                return line[word.Length..].Trim();
            if (line.StartsWith("@failed", StringComparison.Ordinal))
                throw new InvalidOperationException($"the live observer: {line["@failed".Length..].Trim()}");
        }

        throw new InvalidOperationException("the live observer ended by itself");
    }
}
