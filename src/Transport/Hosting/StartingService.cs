using Microsoft.Extensions.Hosting;

namespace Gateway.Transport.Hosting;

/// <summary>Sets a part in motion before any listener stands. The container ends the part: after all that were made
/// later, and so after all that use it.</summary>
internal sealed class StartingService<T>(T part, Action<T> start) : IHostedLifecycleService
{
    public Task StartingAsync(CancellationToken cancellationToken)
    {
        start(part);
        return Task.CompletedTask;
    }

    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
