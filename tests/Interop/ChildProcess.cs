using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Text;
using Gateway.Testing;

namespace Gateway.Interop;

/// <summary>
/// A process of this test: its lines are collected and handed out as they come, and it is ended by its own id.
/// </summary>
internal sealed partial class ChildProcess : IAsyncDisposable
{
    private const int SignalTerminate = 15;
    private const int SignalContinue = 18;
    private const int SignalStop = 19;

    private readonly Process process;
    private readonly StringBuilder output = new();
    private readonly Lock outputLock = new();
    private readonly Action<string> onLine;
    private readonly Task<int> exit;

    public ChildProcess(ProcessStartInfo start, Action<string> onLine)
    {
        start.RedirectStandardInput = start.RedirectStandardOutput = start.RedirectStandardError = true;
        this.onLine = onLine;
        process = Process.Start(start) ?? throw new InvalidOperationException("not started: " + start.FileName);
        exit = EndAsync(Task.WhenAll(
            ReadAsync(process.StandardOutput, isOutput: true), ReadAsync(process.StandardError, isOutput: false)));
    }

    public int Id => process.Id;

    /// <summary>Ends when the process has ended and all its lines were handed out.</summary>
    public Task<int> Exit => exit;

    public string Output
    {
        get
        {
            lock (outputLock)
                return output.ToString();
        }
    }

    public Task SendLineAsync(string line) => process.StandardInput.WriteLineAsync(line);

    public void Terminate()
    {
        if (!exit.IsCompleted)
            _ = SendSignal(process.Id, SignalTerminate);
    }

    /// <summary>SIGSTOP: its sockets stay open, and it does nothing.</summary>
    public void Freeze() => Assert.Equal(0, SendSignal(process.Id, SignalStop));

    public void Thaw() => Assert.Equal(0, SendSignal(process.Id, SignalContinue));

    /// <summary>As a power cut: no farewell to anybody.</summary>
    public async Task KillAsync()
    {
        process.Kill();
        await exit;
    }

    /// <summary>SIGTERM, and the exit code; kills and fails when it takes too long.</summary>
    public async Task<int> StopAsync()
    {
        Terminate();
        try
        {
            return await exit.WaitAsync(Patience.Limit);
        }
        catch (TimeoutException)
        {
            process.Kill();
            throw new TimeoutException($"process {process.Id} did not end {Patience.Limit} after SIGTERM\n{Output}");
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (!exit.IsCompleted)
            process.Kill(entireProcessTree: true);
        await exit;
        process.Dispose();
    }

    private async Task<int> EndAsync(Task readers)
    {
        await readers;
        await process.WaitForExitAsync();
        return process.ExitCode;
    }

    private async Task ReadAsync(StreamReader reader, bool isOutput)
    {
        while (await reader.ReadLineAsync() is { } line)
        {
            lock (outputLock)
                output.AppendLine(line);
            if (isOutput)
                onLine(line);
        }
    }

    [LibraryImport("libc", EntryPoint = "kill")]
    private static partial int SendSignal(int processId, int signal);
}
