using Gateway.Codec.Json;
using Gateway.Rest.Services;
using Gateway.Transport.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;

namespace Gateway.Rest.Tests.Services;

/// <summary>Answers that clients have not taken count together (R04).</summary>
public sealed class ServiceExchangeTests
{
    private readonly Lifetime _lifetime = new();
    private readonly MemoryBudget _memory = new(1_000);

    [Fact]
    public async Task Hold_MoreThanAllMay_TheRequestIsGivenUp()
    {
        using var exchange = Begin();

        exchange.Hold(2_000);

        await _lifetime.Aborted;
        Assert.True(exchange.IsEnding);
    }

    [Fact]
    public void GiveUp_BehindTheEnd_NothingIsAborted()
    {
        var exchange = Begin();
        exchange.Hold(500);
        Assert.Equal(500, _memory.TotalBytes);
        exchange.Dispose();

        exchange.GiveUp();

        Assert.Equal(0, _memory.TotalBytes);
        Assert.False(_lifetime.Aborted.IsCompleted);
    }

    private ServiceExchange Begin()
    {
        var context = new DefaultHttpContext();
        context.Features.Set<IHttpRequestLifetimeFeature>(_lifetime);
        return new ServiceExchange(context, JsonFormat.Compact, _memory, TimeProvider.System);
    }

    private sealed class Lifetime : IHttpRequestLifetimeFeature
    {
        private readonly TaskCompletionSource _aborted = new();

        public Task Aborted => _aborted.Task;

        public CancellationToken RequestAborted { get; set; }

        public void Abort() => _aborted.TrySetResult();
    }
}
