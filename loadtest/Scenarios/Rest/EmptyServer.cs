using System.Diagnostics;
using Gateway.Loadtest.Machine;

namespace Gateway.Loadtest.Scenarios.Rest;

/// <summary>The process of <see cref="EmptyEndpoint"/>. Disposing it ends it.</summary>
internal sealed class EmptyServer : IAsyncDisposable
{
    private static readonly TimeSpan StartTimeout = TimeSpan.FromSeconds(60);

    private readonly Process _process;

    private EmptyServer(Process process)
    {
        _process = process;
        Probe = new ProcessProbe(process.Id);
    }

    public ProcessProbe Probe { get; }

    public Uri? Url { get; private set; }

    /// <summary>Errors: InvalidOperationException where it does not start.</summary>
    public static async Task<EmptyServer> StartAsync(CancellationToken cancellation)
    {
        var start = new ProcessStartInfo("dotnet")
        {
            ArgumentList = { typeof(EmptyServer).Assembly.Location, EmptyEndpoint.Command },
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        };
        EmptyEndpoint.SetRuntime(start.Environment);
        var server = new EmptyServer(Process.Start(start)!);
        try
        {
            var ready = await server._process.StandardOutput.ReadLineAsync(cancellation).AsTask()
                .WaitAsync(StartTimeout, cancellation);
            if (ready?.StartsWith("@ready ", StringComparison.Ordinal) != true)
                throw new InvalidOperationException($"the empty endpoint did not start: {ready}");
            server.Url = new Uri($"http://127.0.0.1:{ready["@ready ".Length..]}");
            return server;
        }
        catch
        {
            await server.DisposeAsync();
            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        _process.StandardInput.Close();
        using var patience = new CancellationTokenSource(StartTimeout);
        try
        {
            await _process.WaitForExitAsync(patience.Token);
        }
        catch (OperationCanceledException)
        {
            _process.Kill();
            await _process.WaitForExitAsync(CancellationToken.None);
        }

        Probe.Dispose();
        _process.Dispose();
    }
}
