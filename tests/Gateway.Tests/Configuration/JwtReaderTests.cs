using Gateway.Host;
using Gateway.Host.Configuration;
using Gateway.Operations.Access;
using Gateway.Tests.Tokens;

namespace Gateway.Tests.Configuration;

/// <summary>The section Jwt is whole or an error.</summary>
public sealed class JwtReaderTests : IDisposable
{
    private readonly TokenIssuer _issuer = new();
    private readonly string _file = Path.Combine(Directory.CreateTempSubdirectory("jwt-").FullName, "keys.pem");

    public JwtReaderTests() => File.WriteAllText(_file, _issuer.Pem);

    public void Dispose()
    {
        _issuer.Dispose();
        Directory.Delete(Path.GetDirectoryName(_file)!, recursive: true);
    }

    [Fact]
    public void Read_Nothing_TokensAreOff() => Assert.False(Read().Jwt.IsOn);

    /// <summary>A claim value may have colons, points and numbers in it.</summary>
    [Fact]
    public void Read_Whole_RolesByTheirClaimValues()
    {
        var options = Read(
            "--Jwt:Issuer=i", "--Jwt:Audience=a", $"--Jwt:KeysPath={_file}", "--Jwt:RoleClaim=realm.roles",
            "--Jwt:Roles:urn:plant:ops=Operator", "--Jwt:Roles:7c=Observer,SecurityAdmin",
            "--Jwt:Roles:list:0=Engineer", "--Jwt:Roles:list:1=SecurityAdmin");

        Assert.Empty(options.FindErrors());
        Assert.True(options.Jwt.IsOn);
        Assert.Equal("realm.roles", options.Jwt.RoleClaim);
        Assert.Equal(
            new Dictionary<string, Roles>
            {
                ["urn:plant:ops"] = Roles.Operator,
                ["7c"] = Roles.Observer | Roles.SecurityAdmin,
                ["list"] = Roles.Engineer | Roles.SecurityAdmin,
            },
            options.Jwt.Roles.ToDictionary());
    }

    [Theory]
    [InlineData("Jwt:Issuer", "--Jwt:Audience=a", "--Jwt:KeysUrl=https://x/y", "--Jwt:Roles:a=Observer")]
    [InlineData("Jwt:Audience", "--Jwt:Issuer=i", "--Jwt:KeysUrl=https://x/y", "--Jwt:Roles:a=Observer")]
    [InlineData("Jwt:KeysPath", "--Jwt:Issuer=i", "--Jwt:Audience=a", "--Jwt:Roles:a=Observer")]
    [InlineData("Jwt:Roles", "--Jwt:Issuer=i", "--Jwt:Audience=a", "--Jwt:KeysUrl=https://x/y")]
    [InlineData("Jwt:Roles:a", "--Jwt:Issuer=i", "--Jwt:Audience=a", "--Jwt:KeysUrl=https://x/y", "--Jwt:Roles:a=Boss")]
    [InlineData(
        "Jwt:KeysUrl", "--Jwt:Issuer=i", "--Jwt:Audience=a", "--Jwt:KeysUrl=http://x/y", "--Jwt:Roles:a=Observer")]
    [InlineData(
        "Jwt:KeysUrl", "--Jwt:Issuer=i", "--Jwt:Audience=a", "--Jwt:KeysUrl=file:///y", "--Jwt:Roles:a=Observer")]
    [InlineData(
        "Jwt:KeysUrl", "--Jwt:Issuer=i", "--Jwt:Audience=a", "--Jwt:KeysUrl=https://u:p@x/y",
        "--Jwt:Roles:a=Observer")]
    [InlineData(
        "Jwt:KeysPath", "--Jwt:Issuer=i", "--Jwt:Audience=a", "--Jwt:KeysPath=/nowhere", "--Jwt:Roles:a=Observer")]
    public void Read_OneThingWrong_ToldWithItsKey(string key, params string[] options)
    {
        var errors = Read(options).FindErrors();

        Assert.Contains(errors, error => error.StartsWith(key + ": ", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("no key at all")]
    [InlineData("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----")]
    [InlineData("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----")]
    [InlineData("""{"keys":[{"kty":"RSA","n":"AQAB","e":"AQAB"}]}""")]
    [InlineData("""{"keys":[{"kty":"RSA","n":"AQAB","e":"AQAB","d":"AQAB"}]}""")]
    [InlineData("""{"keys":[{"kty":"oct","k":"AQAB"}]}""")]
    [InlineData("""{"keys":[{"kty":"RSA","use":"enc"}]}""")]
    [InlineData("""{"keys":[7]}""")]
    [InlineData("""{"keys":""")]
    public void Read_KeysOfNoUse_Error(string content)
    {
        File.WriteAllText(_file, content);

        var error = Assert.Single(Read(
            "--Jwt:Issuer=i", "--Jwt:Audience=a", $"--Jwt:KeysPath={_file}", "--Jwt:Roles:a=Observer").FindErrors());

        Assert.StartsWith("Jwt:KeysPath: ", error, StringComparison.Ordinal);
    }

    [Fact]
    public void Read_MisspeltKey_Told() => Assert.Contains(
        Read("--Jwt:Isuer=i").FindErrors(),
        error => error.Contains("Jwt:Issuer", StringComparison.Ordinal));

    private static GatewayOptions Read(params string[] options) =>
        new(new ConfigurationLayers(CommandLine.ReadConfiguration(options)));
}
