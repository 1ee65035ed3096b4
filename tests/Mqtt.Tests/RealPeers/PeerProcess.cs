using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Text;
using System.Threading.Channels;
using Gateway.Testing;

namespace Gateway.Mqtt.Tests.RealPeers;

/// <summary>A program of this test: its lines, on either stream, are handed out as they come. It is stopped, frozen and
/// killed by its own id.</summary>
internal sealed partial class PeerProcess : IAsyncDisposable
{
    private const int SignalTerminate = 15;
    private const int SignalContinue = 18;
    private const int SignalStop = 19;

    private readonly Process _process;
    private readonly Channel<string> _lines = Channel.CreateUnbounded<string>();
    private readonly StringBuilder _said = new();
    private readonly Lock _lock = new();
    private readonly Task _reading;

    public PeerProcess(string program, params string[] arguments)
    {
        ProcessStartInfo start = new(program, arguments)
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            RedirectStandardInput = true,
        };
        _process = Process.Start(start) ?? throw new InvalidOperationException("not started: " + program);
        _reading = ReadAllAsync();
    }

    private string Said
    {
        get
        {
            lock (_lock)
                return _said.ToString();
        }
    }

    /// <summary>Runs a program to its end; fails unless its code is 0.</summary>
    public static async Task RunAsync(string program, params string[] arguments)
    {
        await using var process = new PeerProcess(program, arguments);
        await process._reading.WaitAsync(Patience.Limit);
        await process._process.WaitForExitAsync();
        Assert.True(process._process.ExitCode == 0, $"{program} {string.Join(' ', arguments)}\n{process.Said}");
    }

    /// <summary>Reads on to the next line with that text.</summary>
    public async Task<string> LineAsync(string part)
    {
        using var patience = new CancellationTokenSource(Patience.Limit);
        try
        {
            await foreach (var line in _lines.Reader.ReadAllAsync(patience.Token))
            {
                if (line.Contains(part, StringComparison.Ordinal))
                    return line;
            }
        }
        catch (OperationCanceledException)
        {
            // Told below.
        }

        throw new InvalidOperationException($"{_process.StartInfo.FileName} did not say '{part}'\n{Said}");
    }

    /// <summary>SIGSTOP: its sockets stay open and it does nothing.</summary>
    public void Freeze() => Assert.Equal(0, SendSignal(_process.Id, SignalStop));

    public void Thaw() => Assert.Equal(0, SendSignal(_process.Id, SignalContinue));

    /// <summary>SIGKILL.</summary>
    public async Task KillAsync()
    {
        _process.Kill();
        await _reading;
    }

    /// <summary>SIGTERM, and its end.</summary>
    public async Task StopAsync()
    {
        Assert.Equal(0, SendSignal(_process.Id, SignalTerminate));
        await _reading.WaitAsync(Patience.Limit);
    }

    public async ValueTask DisposeAsync()
    {
        if (!_process.HasExited)
            _process.Kill();
        await _reading;
        _process.Dispose();
    }

    private async Task ReadAllAsync()
    {
        await Task.WhenAll(ReadAsync(_process.StandardOutput), ReadAsync(_process.StandardError));
        await _process.WaitForExitAsync();
        _lines.Writer.TryComplete();
    }

    private async Task ReadAsync(StreamReader reader)
    {
        while (await reader.ReadLineAsync() is { } line)
        {
            lock (_lock)
                _said.AppendLine(line);
            _lines.Writer.TryWrite(line);
        }
    }

    [LibraryImport("libc", EntryPoint = "kill")]
    private static partial int SendSignal(int processId, int signal);
}
