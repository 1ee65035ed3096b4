using Gateway.Host.Tokens;
using Gateway.Testing;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Tests.Tokens;

/// <summary>Keys of an address: fetched at their pace, bounded, and never lost to a bad answer.</summary>
public sealed class UrlTokenKeysTests : IAsyncLifetime, IDisposable
{
    private readonly ManualTimeProvider _time = new();
    private readonly TokenIssuer _issuer = new();
    private readonly TokenCounters _counters = new();
    private KeyServer _server = null!;

    public async Task InitializeAsync()
    {
        _server = await KeyServer.StartAsync();
        _server.Body = _issuer.Jwks;
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    public void Dispose()
    {
        _issuer.Dispose();
        _counters.Dispose();
    }

    [Fact]
    public async Task LookAgain_KeyRotated_NewOneIsThere()
    {
        using var keys = Keys();
        Assert.True((await LookAsync(keys)).Has("key-1", "RS256"));
        _issuer.Rotate();
        _server.Body = _issuer.Jwks;

        Assert.False((await LookAsync(keys)).Has("key-2", "RS256"));
        _time.Advance(TimeSpan.FromSeconds(31));

        Assert.True((await LookAsync(keys)).Has("key-2", "RS256"));
        Assert.False(keys.Current.Has("key-1", "RS256"));
    }

    /// <summary>A thousand tokens with keys that nobody has: the service is asked once in TokenKeysMinInterval.
    /// </summary>
    [Fact]
    public async Task LookAgain_StormOfUnknownKeys_FetchesAreBounded()
    {
        using var keys = Keys(new TokenLimits { TokenKeysMinInterval = TimeSpan.FromMinutes(1) });
        for (var minute = 1; minute <= 3; minute++)
        {
            await Task.WhenAll(Enumerable.Range(0, 1_000).Select(_ => LookAsync(keys)));

            Assert.Equal(minute, _server.Asked);
            Assert.Equal(minute, _counters.KeysAskedFor);
            _time.Advance(TimeSpan.FromSeconds(61));
        }
    }

    [Fact]
    public async Task Start_FetchesAtOnceAndAtTheInterval()
    {
        using var keys = Keys(new TokenLimits { TokenKeysInterval = TimeSpan.FromMinutes(5) });

        keys.Start();
        await LookAsync(keys);
        Assert.Equal(1, _server.Asked);
        _time.Advance(TimeSpan.FromMinutes(5));
        await LookAsync(keys);

        Assert.Equal(2, _server.Asked);
    }

    [Theory]
    [InlineData(200, "nonsense")]
    [InlineData(200, "{\"keys\":[]}")]
    [InlineData(302, "")]
    [InlineData(404, "")]
    public async Task LookAgain_AnswerOfNoUse_LastKeysStay(int status, string body)
    {
        using var keys = Keys();
        await LookAsync(keys);
        (_server.Status, _server.Body) = (status, body);
        _time.Advance(TimeSpan.FromMinutes(1));

        var looked = LookAsync(keys);
        await AdvanceUntilAsync(looked);

        Assert.True((await looked).Has("key-1", "RS256"));
        Assert.Equal(1, _counters.KeysFailures);
    }

    [Fact]
    public async Task LookAgain_AnswerLargerThanMaxTokenKeysBytes_Refused()
    {
        using var keys = Keys(new TokenLimits { MaxTokenKeysBytes = 100 });

        Assert.Equal(0, (await LookAsync(keys)).Count);
        Assert.Equal(1, _counters.KeysFailures);
    }

    [Fact]
    public void Read_MoreThanMaxTokenKeys_Refused()
    {
        var limit = new TokenLimits { MaxTokenKeys = 1 }.MaxTokenKeys;
        var key = System.Text.Json.JsonSerializer.Serialize(_issuer.Jwk);
        var two = $$"""{"keys":[{{key}},{{key}}]}""";

        var error = Assert.Throws<FormatException>(
            () => TokenKeyReader.Read(System.Text.Encoding.UTF8.GetBytes(two), limit, takesSecrets: false));

        Assert.Contains("MaxTokenKeys", error.Message, StringComparison.Ordinal);
    }

    /// <summary>A key that is of no use here is of use to others. Source: RFC 7517 §5.</summary>
    [Theory]
    [InlineData("""{"kty":"oct","k":"AAAA"}""")]
    [InlineData("""{"kty":"RSA","n":"AQAB","e":"AQAB"}""")]
    [InlineData("""{"kty":"RSA","e":"AQAB"}""")]
    [InlineData("""{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}""")]
    [InlineData("""{"kty":"EC","crv":"P-256","x":"!","y":"AA"}""")]
    [InlineData("\"text\"")]
    public async Task LookAgain_OneKeyOfNoUse_TheOthersAreTaken(string bad)
    {
        var good = System.Text.Json.JsonSerializer.Serialize(_issuer.Jwk);
        _server.Body = $$"""{"keys":[{{bad}},{{good}}]}""";
        using var keys = Keys();

        Assert.True((await LookAsync(keys)).Has("key-1", "RS256"));
        Assert.Equal(0, _counters.KeysFailures);
    }

    /// <summary>A service that takes the question and never answers.</summary>
    [Fact]
    public async Task LookAgain_NoAnswerUntilTokenKeysDeadline_GivenUp()
    {
        _server.Gate = new TaskCompletionSource();
        using var keys = Keys(new TokenLimits { TokenKeysDeadline = TimeSpan.FromSeconds(3) });

        var looked = LookAsync(keys);
        await AdvanceUntilAsync(looked);

        Assert.Equal(0, (await looked).Count);
        Assert.Equal(1, _counters.KeysFailures);
    }

    /// <summary>The pipeline sets its timers behind what a test can see.</summary>
    private async Task AdvanceUntilAsync(Task done)
    {
        using var patience = new CancellationTokenSource(Patience.Limit);
        using var look = new PeriodicTimer(TimeSpan.FromMilliseconds(5));
        while (!done.IsCompleted)
        {
            _time.Advance(TimeSpan.FromMilliseconds(100));
            await look.WaitForNextTickAsync(patience.Token);
        }
    }

    private static Task<TokenKeySet> LookAsync(UrlTokenKeys keys) =>
        keys.LookAgainAsync(CancellationToken.None).AsTask().WaitAsync(Patience.Limit);

    private UrlTokenKeys Keys(TokenLimits? limits = null) => new(
        new JwtOptions { KeysUrl = _server.Url }, limits ?? new TokenLimits(), _counters, _time,
        NullLogger<UrlTokenKeys>.Instance);
}
