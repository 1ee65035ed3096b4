using System.Security.Cryptography;
using System.Text;
using Gateway.Host.Tokens;
using Gateway.Operations.Access;
using Gateway.Server;
using Gateway.Server.Users;
using Gateway.Testing;
using Microsoft.IdentityModel.Tokens;

namespace Gateway.Tests.Tokens;

/// <summary>Which tokens are taken, and what is said of the others.</summary>
public sealed class JwtValidatorTests : IDisposable
{
    private readonly ManualTimeProvider _time = new();
    private readonly TokenIssuer _issuer = new();
    private readonly TokenCounters _counters = new();
    private readonly FixedKeys _keys = new();

    private DateTimeOffset Now => _time.GetUtcNow();

    public void Dispose()
    {
        _issuer.Dispose();
        _counters.Dispose();
    }

    [Theory]
    [InlineData("""["watch"]""", Roles.Observer)]
    [InlineData("\"watch\"", Roles.Observer)]
    [InlineData("\"watch plant:operate\"", Roles.Observer | Roles.Operator)]
    [InlineData("""["watch","plant:operate","unknown",7]""", Roles.Observer | Roles.Operator)]
    public async Task Validate_RightToken_RolesOfItsClaim(string roles, Roles expected)
    {
        var verdict = await ValidateAsync(
            _issuer.Sign(Now, roles: System.Text.Json.JsonSerializer.Deserialize<object>(roles)));

        Assert.Equal(TokenFault.None, verdict.Fault);
        Assert.Equal(("anna", expected, UserKind.IssuedToken),
            (verdict.Identity!.Key, verdict.Identity.Roles, verdict.Identity.Kind));
    }

    [Theory]
    [InlineData("realm.roles", """{"realm":{"roles":["watch"]}}""")]
    [InlineData("realm.roles", """{"realm.roles":["watch"],"realm":7}""")]
    public async Task Validate_RoleClaimWithPoints_APathOrAName(string claim, string json)
    {
        var token = _issuer.Sign(Now, roles: 0, change: claims =>
        {
            foreach (var one in System.Text.Json.JsonDocument.Parse(json).RootElement.EnumerateObject())
                claims[one.Name] = one.Value;
        });

        var verdict = await ValidateAsync(token, Validator(claim));

        Assert.Equal(Roles.Observer, verdict.Identity?.Roles);
    }

    [Fact]
    public async Task Validate_ClaimsThatDoNotFit_EachNamed()
    {
        await AssertFaultAsync(TokenFault.Issuer, _issuer.Sign(Now, issuer: TokenIssuer.Issuer + "/"));
        await AssertFaultAsync(TokenFault.Audience, _issuer.Sign(Now, audience: "urn:other"));
        await AssertFaultAsync(TokenFault.Expired, _issuer.Sign(Now, seconds: -31));
        await AssertFaultAsync(TokenFault.NotYetValid, _issuer.Sign(Now, notBefore: 31));
        await AssertFaultAsync(TokenFault.NoRole, _issuer.Sign(Now, roles: new[] { "Operator", "WATCH" }));
        await AssertFaultAsync(TokenFault.Malformed, _issuer.Sign(Now, subject: null));
        await AssertFaultAsync(TokenFault.Malformed, _issuer.Sign(Now, subject: new string('x', 257)));
        await AssertFaultAsync(TokenFault.Malformed, _issuer.Sign(Now, change: static claims => claims.Remove("exp")));
        await AssertFaultAsync(TokenFault.TooLarge, _issuer.Sign(Now, subject: new string('x', 9_000)));
    }

    /// <summary>The clocks of two machines differ by a little.</summary>
    [Fact]
    public async Task Validate_TimesWithinTheSkew_Good()
    {
        Assert.Equal(TokenFault.None, (await ValidateAsync(_issuer.Sign(Now, seconds: -29))).Fault);
        Assert.Equal(TokenFault.None, (await ValidateAsync(_issuer.Sign(Now, notBefore: 29))).Fault);
    }

    [Fact]
    public async Task Validate_SignaturesThatAreNone_EachNamed()
    {
        var right = _issuer.Sign(Now);
        var payload = right.Split('.')[1];
        var other = _issuer.Sign(Now, roles: "all").Split('.')[1];
        using var stranger = RSA.Create(2048);
        var forged = new SigningCredentials(
            new RsaSecurityKey(stranger) { KeyId = _issuer.KeyId }, SecurityAlgorithms.RsaSha256);
        var elsewhere = new SigningCredentials(
            new RsaSecurityKey(stranger) { KeyId = "other" }, SecurityAlgorithms.RsaSha256);

        await AssertFaultAsync(TokenFault.Signature, right.Replace(payload, other, StringComparison.Ordinal));
        await AssertFaultAsync(TokenFault.Signature, _issuer.Sign(Now, by: forged));
        await AssertFaultAsync(TokenFault.Signature, right[..right.LastIndexOf('.')] + ".");
        await AssertFaultAsync(TokenFault.UnknownKey, _issuer.Sign(Now, by: elsewhere));
        await AssertFaultAsync(TokenFault.Algorithm, TokenIssuer.Join("""{"alg":"none"}""", payload, []));
        await AssertFaultAsync(TokenFault.Algorithm, TokenIssuer.Join("""{"alg":"None","kid":"key-1"}""", payload, []));
        await AssertFaultAsync(TokenFault.Algorithm, _issuer.Confuse(right));
        await AssertFaultAsync(TokenFault.Malformed, right[..right.LastIndexOf('.')]);
        await AssertFaultAsync(TokenFault.Malformed, "x.y.z");
        await AssertFaultAsync(TokenFault.Malformed, "");
        await AssertFaultAsync(
            TokenFault.Malformed, TokenIssuer.Join("""{"alg":"RS256","crit":["b64"]}""", payload, [1]));
        // A token for another purpose. Source: RFC 8725 §3.11.
        await AssertFaultAsync(
            TokenFault.Malformed, TokenIssuer.Join("""{"alg":"RS256","typ":"logout+jwt"}""", payload, [1]));
        await AssertFaultAsync(
            TokenFault.Signature, TokenIssuer.Join("""{"alg":"RS256","typ":"AT+jwt"}""", payload, [1]));
    }

    /// <summary>Every bit of the signature, and the text at each place, count.</summary>
    [Fact]
    public async Task Validate_OneCharacterChanged_NeverTaken()
    {
        var right = _issuer.Sign(Now);
        var validator = Validator();
        for (var i = 0; i < right.Length - 1; i += 7)
        {
            var changed = right.ToCharArray();
            changed[i] = changed[i] == 'A' ? 'B' : 'A';

            var verdict = await ValidateAsync(new string(changed), validator);

            Assert.NotEqual(TokenFault.None, verdict.Fault);
            Assert.Null(verdict.Identity);
        }
    }

    [Fact]
    public async Task Validate_SecretInTheFile_TakenForItsAlgorithmAlone()
    {
        var secret = new SymmetricSecurityKey(new byte[64]) { KeyId = "shared" };
        var jwks = $$"""
            {"keys":[{"kty":"oct","kid":"shared","k":"{{Base64UrlEncoder.Encode(new byte[64])}}","alg":"HS256"}]}
            """;
        _keys.Current = TokenKeyReader.Read(Encoding.UTF8.GetBytes(jwks), 10, takesSecrets: true);
        var good = _issuer.Sign(Now, by: new SigningCredentials(secret, SecurityAlgorithms.HmacSha256));
        var other = _issuer.Sign(Now, by: new SigningCredentials(secret, SecurityAlgorithms.HmacSha512));

        Assert.Equal(TokenFault.None, (await ValidateAsync(good, Validator(keepKeys: true))).Fault);
        Assert.Equal(TokenFault.Algorithm, (await ValidateAsync(other, Validator(keepKeys: true))).Fault);
        Assert.Throws<FormatException>(
            () => TokenKeyReader.Read(Encoding.UTF8.GetBytes(jwks), 10, takesSecrets: false));
    }

    [Fact]
    public async Task Known_Token_UntilItEndsOrTheKeysChange()
    {
        var validator = Validator();
        var token = Encoding.UTF8.GetBytes(_issuer.Sign(Now, seconds: 60));
        Assert.False(validator.TryGetKnown(token, out _));
        await validator.ValidateAsync(token, default);

        Assert.True(validator.TryGetKnown(token, out var known));
        Assert.Equal("anna", known.Identity!.Key);
        _time.MoveWallClock(TimeSpan.FromHours(-1));
        _time.Advance(TimeSpan.FromSeconds(89));
        Assert.True(validator.TryGetKnown(token, out _));
        _time.Advance(TimeSpan.FromSeconds(2));
        Assert.False(validator.TryGetKnown(token, out _));

        var next = Encoding.UTF8.GetBytes(_issuer.Sign(Now));
        await validator.ValidateAsync(next, default);
        _issuer.Rotate();
        _keys.Current = TokenKeyReader.Read(Encoding.UTF8.GetBytes(_issuer.Jwks), 10, takesSecrets: false);
        Assert.False(validator.TryGetKnown(next, out _));
        Assert.Equal(TokenFault.UnknownKey, (await validator.ValidateAsync(next, default)).Fault);
    }

    /// <summary>MaxKnownTokens bounds each of two generations.</summary>
    [Fact]
    public void Known_MoreTokensThanTheLimit_OlderHalfForgotten()
    {
        var known = new KnownTokens(new TokenLimits { MaxKnownTokens = 10 }.MaxKnownTokens);
        var user = new UserIdentity("a", "a", Roles.Observer, UserKind.IssuedToken);
        for (var i = 0; i < 100; i++)
            known.Add(BitConverter.GetBytes(i), TokenKeySet.Empty, user);

        Assert.InRange(known.Count, 10, 20);
        Assert.NotNull(known.Find(BitConverter.GetBytes(99), TokenKeySet.Empty));
        Assert.Null(known.Find(BitConverter.GetBytes(1), TokenKeySet.Empty));
    }

    [Fact]
    public async Task Validate_NoKeysYet_SaidSo()
    {
        _keys.Current = TokenKeySet.Empty;

        var verdict = await ValidateAsync(_issuer.Sign(Now), Validator(keepKeys: true));

        Assert.Equal(TokenFault.NoKeys, verdict.Fault);
    }

    private async Task AssertFaultAsync(TokenFault fault, string token)
    {
        var before = _counters.Refused(fault);

        var verdict = await ValidateAsync(token);

        Assert.Equal((fault, null), (verdict.Fault, verdict.Identity));
        Assert.Equal(before + 1, _counters.Refused(fault));
    }

    private ValueTask<TokenVerdict> ValidateAsync(string token, JwtValidator? by = null) =>
        (by ?? Validator()).ValidateAsync(Encoding.UTF8.GetBytes(token), CancellationToken.None);

    private JwtValidator Validator(string claim = "roles", bool keepKeys = false)
    {
        if (!keepKeys)
            _keys.Current = TokenKeyReader.Read(Encoding.UTF8.GetBytes(_issuer.Jwks), 10, takesSecrets: false);
        var options = new JwtOptions
        {
            Issuer = TokenIssuer.Issuer,
            Audience = TokenIssuer.Audience,
            RoleClaim = claim,
            Roles = new Dictionary<string, Roles>
            {
                ["watch"] = Roles.Observer,
                ["plant:operate"] = Roles.Operator,
                ["all"] = Roles.Engineer,
            },
        };
        return new JwtValidator(
            options, _keys, new KnownTokens(10), new RoleClaims(options), _counters, ServerLimits.Default, _time);
    }

    private sealed class FixedKeys : ITokenKeys
    {
        public TokenKeySet Current { get; set; } = TokenKeySet.Empty;

        public ValueTask<TokenKeySet> LookAgainAsync(CancellationToken cancellationToken) => new(Current);

        public void Start()
        {
        }
    }
}
