using Gateway.Codec.Json;
using Gateway.Rest.Answers;
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

        exchange.HoldAnswer(2_000);

        await _lifetime.Aborted;
        Assert.True(exchange.IsEnding);
    }

    [Fact]
    public void GiveUp_BehindTheEnd_NothingIsAborted()
    {
        var exchange = Begin();
        exchange.HoldAnswer(500);
        Assert.Equal(500, _memory.TotalBytes);
        exchange.Dispose();

        exchange.GiveUp();

        Assert.Equal(0, _memory.TotalBytes);
        Assert.False(_lifetime.Aborted.IsCompleted);
    }

    /// <summary>A worker may be through with it when the answer has left.</summary>
    [Fact]
    public void HoldMessage_BehindTheEnd_NothingIsCounted()
    {
        var memory = new MemoryBudget(10_000_000);
        var exchange = Begin(memory);
        exchange.HoldMessage(900_000);
        Assert.Equal(900_000, memory.TotalBytes);
        exchange.Dispose();

        exchange.HoldMessage(900_000);

        Assert.Equal(0, memory.TotalBytes);
    }

    /// <summary>R43: what is rented counts, before it is.</summary>
    [Fact]
    public void TryChange_TextThatGrows_CountsItsCapacityAndStopsWhereItIsGivenUp()
    {
        using var exchange = Begin();

        Assert.True(exchange.TryChange(0, 800));
        Assert.Equal(800, _memory.TotalBytes);
        Assert.False(exchange.TryChange(800, 1_600));

        Assert.True(exchange.IsEnding);
    }

    /// <summary>Source: RFC 9110 §15.5.2, RFC 6750 §3.</summary>
    [Theory]
    [InlineData(401, true)]
    [InlineData(403, false)]
    public async Task Send_401_SaysHowToLogIn(int status, bool isAsked)
    {
        var context = new DefaultHttpContext();
        using var exchange = new ServiceExchange(context, JsonFormat.Compact, _memory, TimeProvider.System);
        exchange.Fault(Codec.Types.StatusCodes.BadIdentityTokenRejected, http: status);

        await exchange.SendAsync(new AnswerSender(new RestLimits(), new TransportLimits(), TimeProvider.System));

        Assert.Equal(
            isAsked, context.Response.Headers.WWWAuthenticate.ToString()
                .Contains("error=\"invalid_token\"", StringComparison.Ordinal));
    }

    private ServiceExchange Begin(MemoryBudget? memory = null)
    {
        var context = new DefaultHttpContext();
        context.Features.Set<IHttpRequestLifetimeFeature>(_lifetime);
        return new ServiceExchange(context, JsonFormat.Compact, memory ?? _memory, TimeProvider.System);
    }

    private sealed class Lifetime : IHttpRequestLifetimeFeature
    {
        private readonly TaskCompletionSource _aborted = new();

        public Task Aborted => _aborted.Task;

        public CancellationToken RequestAborted { get; set; }

        public void Abort() => _aborted.TrySetResult();
    }
}
