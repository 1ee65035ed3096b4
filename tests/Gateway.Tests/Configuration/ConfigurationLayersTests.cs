using Gateway.Operations.Access;

namespace Gateway.Tests.Configuration;

/// <summary>Which provider's list holds: the whole one of the highest precedence, never a mixture by places. The
/// program's own appsettings.json gives every list a default that a lower precedence must not leave rests of.</summary>
public sealed class ConfigurationLayersTests
{
    private const string OnePolicy = """{ "OpcUa": { "SecurityPolicies": [ "Aes256_Sha256_RsaPss" ] } }""";

    [Fact]
    public void List_ShorterInTheFile_NothingOfTheDefaultsRemains()
    {
        using var folder = new ConfigurationFolder(OnePolicy);

        Assert.Equal(["Aes256_Sha256_RsaPss"], folder.Read().Security.Policies.Select(policy => policy.Name));
    }

    [Theory]
    [InlineData("--OpcUa:SecurityPolicies=Basic256Sha256", "Basic256Sha256")]
    [InlineData("--OpcUa:SecurityPolicies:0=Basic256Sha256", "Basic256Sha256")]
    [InlineData("--OpcUa:SecurityPolicies:7=Basic256Sha256", "Basic256Sha256")]
    [InlineData(
        "--OpcUa:SecurityPolicies=Basic256Sha256, Aes256_Sha256_RsaPss", "Basic256Sha256,Aes256_Sha256_RsaPss")]
    public void List_OnTheCommandLine_ReplacesAllOthers(string argument, string policies)
    {
        using var folder = new ConfigurationFolder(OnePolicy);

        Assert.Equal(policies, string.Join(',', folder.Read(argument).Security.Policies.Select(policy => policy.Name)));
    }

    [Fact]
    public void Text_InThePlaceOfAList_IsAListOfOne()
    {
        using var folder = new ConfigurationFolder(
            """
            {
              "OpcUa": { "EndpointUrls": "opc.tcp://a:1", "HostNames": "b" },
              "Pki": { "TrustedUserRoles": "Operator" },
              "Anonymous": { "Roles": "Engineer" },
              "Users": [ { "Name": "anna", "Password": "x", "Roles": "SecurityAdmin" } ],
              "Upstreams": [ { "Name": "up", "EndpointUrl": "opc.tcp://c:1", "Roots": "nsu=urn:x;s=y" } ]
            }
            """);

        var settings = folder.Read();

        Assert.Equal(["opc.tcp://a:1"], settings.EndpointUrls);
        Assert.Equal(["b"], settings.HostNames);
        Assert.Equal(Roles.Operator, settings.TrustedUserRoles);
        Assert.Equal(Roles.Engineer, settings.AnonymousRoles);
        Assert.Equal(Roles.SecurityAdmin, settings.Users[0].Roles);
        Assert.Equal(["nsu=urn:x;s=y"], settings.Upstreams[0].Roots);
    }

    /// <summary>A user on the command line does not get the roles or the password of the file's first.</summary>
    [Fact]
    public void Users_OnTheCommandLine_NothingOfTheFilesRemains()
    {
        using var folder = new ConfigurationFolder(
            """
            {
              "Users": [
                { "Name": "admin", "Password": "x", "Roles": [ "Operator", "SecurityAdmin" ] },
                { "Name": "other", "Password": "y" }
              ],
              "Upstreams": [ { "Name": "a", "EndpointUrl": "opc.tcp://a:1", "User": "me", "Password": "z" } ]
            }
            """);

        var settings = folder.Read(
            "--Users:0:Name=anna", "--Users:0:Password=w", "--Upstreams:0:Name=b",
            "--Upstreams:0:EndpointUrl=opc.tcp://b:1");

        var user = Assert.Single(settings.Users);
        Assert.Equal(("anna", Roles.Observer), (user.Name, user.Roles));
        Assert.Equal(("b", ""), (settings.Upstreams[0].Name, settings.Upstreams[0].User));
    }

    [Fact]
    public void Roles_OfAUserOfTheFile_NarrowedOnTheCommandLine()
    {
        using var folder = new ConfigurationFolder(
            """{ "Users": [ { "Name": "anna", "Password": "x", "Roles": [ "Operator", "SecurityAdmin" ] } ] }""");

        var user = Assert.Single(folder.Read("--Users:0:Roles:0=Observer").Users);

        Assert.Equal(("anna", Roles.Observer), (user.Name, user.Roles));
    }

    /// <summary>A secret from the environment or the command line joins what the file says.</summary>
    [Fact]
    public void Password_WithoutAName_JoinsTheUserOfTheFile()
    {
        using var folder = new ConfigurationFolder("""{ "Users": [ { "Name": "anna", "Roles": "Operator" } ] }""");

        var user = Assert.Single(folder.Read("--Users:0:Password=horse").Users);

        Assert.Equal(("anna", Roles.Operator), (user.Name, user.Roles));
        Assert.True(user.Password!.Verify("horse"u8));
    }

    [Theory]
    [InlineData("--OpcUa:SecurityPolicies=")]
    [InlineData("--Anonymous:Roles=")]
    [InlineData("--Pki:TrustedUserRoles=")]
    public void List_EmptyWhereThatMeansNothing_IsAnError(string argument)
    {
        using var folder = new ConfigurationFolder();

        Assert.Contains("is an empty list", Assert.Single(folder.Errors(argument)), StringComparison.Ordinal);
    }

    [Fact]
    public void List_EmptyInTheFile_TakesAwayWhatIsBelow()
    {
        using var folder = new ConfigurationFolder("""{ "OpcUa": { "SecurityPolicies": [] }, "Users": [] }""");

        Assert.StartsWith(
            "OpcUa:SecurityPolicies: is an empty list", Assert.Single(folder.Errors()), StringComparison.Ordinal);
    }

    [Fact]
    public void List_AsListAndAsText_IsAnError()
    {
        using var folder = new ConfigurationFolder();

        var error = Assert.Single(folder.Errors("--OpcUa:HostNames=a", "--OpcUa:HostNames:0=b"));

        Assert.StartsWith("OpcUa:HostNames: is there as a list and as one text", error, StringComparison.Ordinal);
    }

    [Fact]
    public void Files_Read_AreNamedWithTheirFullPaths()
    {
        using var folder = new ConfigurationFolder("{}");

        Assert.Equal(
            [Path.Combine(AppContext.BaseDirectory, "appsettings.json"), folder.FilePath],
            folder.Read().ConfigurationFiles);
    }

    [Fact]
    public void Files_NoneInTheWorkingDirectory_OnlyTheProgramsOwn()
    {
        using var folder = new ConfigurationFolder();

        Assert.Equal(
            [Path.Combine(AppContext.BaseDirectory, "appsettings.json")], folder.Read().ConfigurationFiles);
    }
}
