using System.Net;
using Gateway.Host;
using Gateway.Host.Configuration;
using Gateway.Operations.Access;
using Gateway.Server.Users;
using Gateway.Sources.OpcUa;
using Gateway.Sources.OpcUa.Load;
using Microsoft.Extensions.Configuration;

namespace Gateway.Tests.Configuration;

public sealed class GatewaySettingsReaderTests
{
    [Fact]
    public void TryRead_Nothing_SafeDefaults()
    {
        var settings = Read();

        Assert.False(settings.IsDemo);
        Assert.Equal(4840, settings.OpcUaEndPoint.Port);
        Assert.Equal(8080, settings.HttpEndPoint.Port);
        Assert.Equal(
            ["Basic256Sha256", "Aes128_Sha256_RsaOaep", "Aes256_Sha256_RsaPss"],
            settings.Security.Policies.Select(policy => policy.Name));
        Assert.False(settings.AutoTrust);
        Assert.Equal(Roles.Observer, settings.AnonymousRoles);
        Assert.Equal(12_000, settings.ServerLimits.MaxSessions);
        Assert.True(settings.Simulator.Enabled);
        Assert.Equal(1_000, settings.Simulator.Tags);
        Assert.Empty(settings.Users);
    }

    [Theory]
    [InlineData("AcceptUnknownRevocation")]
    [InlineData("AcceptMissingKeyUsage")]
    [InlineData("AcceptMissingDataEncipherment")]
    public void TryRead_CheckOfCertificatesSwitchedOff_ThatOneAlone(string key)
    {
        Assert.Equal((false, false, false), Checks(Read()));
        var expected = (key == "AcceptUnknownRevocation", key == "AcceptMissingKeyUsage",
            key == "AcceptMissingDataEncipherment");
        Assert.Equal(expected, Checks(Read($"--Pki:{key}=true")));
    }

    private static (bool UnknownRevocation, bool NoUsage, bool NoEncipherment) Checks(GatewaySettings settings) =>
        (settings.AcceptUnknownRevocation, settings.AcceptMissingKeyUsage, settings.AcceptMissingDataEncipherment);

    /// <summary>Passwords travel in clear over HTTP: other machines reach it only when the operator says so.</summary>
    [Theory]
    [InlineData("", "127.0.0.1")]
    [InlineData("localhost", "127.0.0.1")]
    [InlineData("10.1.2.3", "10.1.2.3")]
    public void TryRead_HttpAddress_LoopbackUntilTheOperatorOpensIt(string text, string address)
    {
        Assert.Equal("127.0.0.1", Read().HttpEndPoint.Address.ToString());
        Assert.Equal("127.0.0.1", Read("--demo").HttpEndPoint.Address.ToString());
        Assert.Equal(address, Read($"--Http:Address={text}").HttpEndPoint.Address.ToString());
    }

    [Theory]
    [InlineData("any")]
    [InlineData("*")]
    public void TryRead_AddressAny_AllAddresses(string text)
    {
        var settings = Read($"--Http:Address={text}", $"--OpcUa:Address={text}");

        Assert.Equal(Read().OpcUaEndPoint.Address, settings.HttpEndPoint.Address);
        Assert.Equal(Read().OpcUaEndPoint.Address, settings.OpcUaEndPoint.Address);
        Assert.True(settings.HttpEndPoint.Address.Equals(IPAddress.IPv6Any) ||
            settings.HttpEndPoint.Address.Equals(IPAddress.Any));
    }

    [Fact]
    public void TryRead_Demo_EverythingOpen()
    {
        var settings = Read("--demo", "--Anonymous:Enabled=false");

        Assert.True(settings.IsDemo);
        Assert.True(settings.AutoTrust);
        Assert.Contains(settings.Security.Policies, policy => policy.IsNone);
        Assert.Equal(Roles.Observer | Roles.Operator, settings.AnonymousRoles);
    }

    [Fact]
    public void TryRead_ManyErrors_AllToldWithTheirKeys()
    {
        var errors = Errors(
            "--OpcUa:Port=http", "--OpcUa:Address=nowhere", "--OpcUa:SecurityPolicies:0=Basic128Rsa15",
            "--OpcUa:EndpointUrls:0=http://x", "--Http:Port=70000", "--Pki:AutoTrust=maybe",
            "--Users:0:Password=x", "--Users:1:Name=a", "--Users:2:Name=a", "--Users:2:PasswordHash=nonsense",
            "--Users:1:Roles:0=King", "--Upstreams:0:Name=up", "--Upstreams:0:EndpointUrl=ftp://x",
            "--NodeSets:Path=/does/not/exist", "--Limits:MaxSessions=-1", "--Limits:MaxChunkCount=many",
            "--Limits:MaxNonsense=1", "--OpcUa:Prot=4840", "--Shutdown:AnnounceSeconds=20", "--Log:Format=xml");

        string[] keys =
        [
            "OpcUa:Port", "OpcUa:Address", "OpcUa:SecurityPolicies", "OpcUa:EndpointUrls", "Http:Port", "Pki:AutoTrust",
            "Users:0:Name", "Users:1:Roles", "Users:1", "Users:2:Name", "Users:2:PasswordHash",
            "Upstreams:0:EndpointUrl", "NodeSets:Path", "Limits:MaxSessions", "Limits:MaxChunkCount",
            "Limits:MaxNonsense", "OpcUa:Prot", "Shutdown:AnnounceSeconds", "Log:Format",
        ];
        Assert.All(keys, key => Assert.Contains(errors, error => error.StartsWith(key, StringComparison.Ordinal)));
    }

    /// <summary>A value of a wrong kind hides no other error.</summary>
    [Fact]
    public void TryRead_UpstreamWithValuesOfAWrongKind_EachToldWithItsKey()
    {
        var errors = Errors(
            "--Upstreams:0:Name=up", "--Upstreams:0:EndpointUrl=opc.tcp://x",
            "--Upstreams:0:PublishingIntervalMs=00:00:01", "--Upstreams:0:SecurityMode=Encrypt",
            "--Upstreams:0:MaxNodes=many", "--Upstreams:0:AllowInsecurePassword=perhaps",
            "--Upstreams:1:Name=up", "--Upstreams:1:EndpointUrl=opc.tcp://y");

        Assert.Equal(
        [
            "Upstreams:0:AllowInsecurePassword: 'perhaps' is neither true nor false",
            "Upstreams:0:MaxNodes: 'many' is no whole number",
            "Upstreams:0:PublishingIntervalMs: '00:00:01' is no number of milliseconds",
            "Upstreams:0:SecurityMode: 'Encrypt' is not None, Sign or SignAndEncrypt",
            "Upstreams:1:Name: 'up' is there twice",
        ],
        errors.Order(StringComparer.Ordinal));
    }

    [Fact]
    public void TryRead_BackupsAndReverseConnectThatCannotBe_EachToldWithItsKey()
    {
        var errors = Errors(
            "--Upstreams:0:Name=twice", "--Upstreams:0:EndpointUrl=opc.tcp://x",
            "--Upstreams:0:BackupUrls:0=opc.tcp://x", "--Upstreams:1:Name=wrong",
            "--Upstreams:1:EndpointUrl=opc.tcp://y", "--Upstreams:1:BackupUrls:0=http://y",
            "--Upstreams:2:Name=behind", "--Upstreams:2:EndpointUrl=opc.wss://z", "--Upstreams:2:ReverseConnect=true");

        Assert.Equal(
            ["ReverseConnect:Port", "Upstreams:0:BackupUrls", "Upstreams:1:BackupUrls", "Upstreams:2:ReverseConnect"],
            errors.Select(static error => error[..error.IndexOf(": ", StringComparison.Ordinal)])
                .Order(StringComparer.Ordinal));
    }

    /// <summary>Each property that a user can set is a key, and the key reaches it.</summary>
    [Fact]
    public void TryRead_Upstream_EveryPropertyReached()
    {
        var upstream = Assert.Single(Read(
            "--Upstreams:0:Name=up", "--Upstreams:0:EndpointUrl=opc.tcp://x",
            "--Upstreams:0:SecurityPolicy=Basic256Sha256", "--Upstreams:0:SecurityMode=Sign", "--Upstreams:0:User=u",
            "--Upstreams:0:Password=p", "--Upstreams:0:AllowInsecurePassword=true", "--Upstreams:0:Roots=i=85",
            "--Upstreams:0:PublishingIntervalMs=50.5", "--Upstreams:0:MaxNodes=7",
            "--Upstreams:0:BrowseIntervalSeconds=30", "--Upstreams:0:BridgeSeconds=7", "--Upstreams:0:Profile=s7-1200",
            "--Upstreams:0:MaxRequestsPerSecond=11", "--Upstreams:0:Events=false", "--Upstreams:0:DriftGuard=false",
            "--Upstreams:0:BackupUrls:0=opc.tcp://y", "--Upstreams:0:ReverseConnect=true",
            "--Upstreams:0:Standby=hot",
            "--Upstreams:0:ServerUri=urn:x", "--ReverseConnect:Port=4841").Upstreams);

        var settable = typeof(UpstreamOptions).GetProperties().Where(property => property.SetMethod is not null);
        var byDefault = new UpstreamOptions();
        Assert.All(settable, property =>
        {
            Assert.Contains(
                ConfigurationKeys.All, key =>
                    key.Name == $"Upstreams:N:{property.Name}" || key.Name == $"Upstreams:N:{property.Name}:N" ||
                    key.Name == $"Upstreams:N:{property.Name}Seconds");
            Assert.NotEqual(property.GetValue(byDefault), property.GetValue(upstream));
        });
        Assert.Equal(50.5, upstream.PublishingIntervalMs);
        Assert.Equal(11, upstream.MaxRequestsPerSecond);
        Assert.Equal(
            UpstreamProfiles.Find("s7-1200")! with { MaxRequestsPerSecond = 11 }, upstream.Budget);
    }

    [Fact]
    public void TryRead_UpstreamProfile_KnownNamesAndWithinReason()
    {
        Assert.Equal(
            [
                "Upstreams:0:MaxConcurrentRequests: 0 is not between 1 and 100",
                "Upstreams:0:Profile: 's7-300' is not one of generic, s7-1500, s7-1200, beckhoff, codesys, kepware, "
                    + "ignition",
            ],
            Errors(
                "--Upstreams:0:Name=up", "--Upstreams:0:EndpointUrl=opc.tcp://x", "--Upstreams:0:Profile=s7-300",
                "--Upstreams:0:MaxConcurrentRequests=0").Order(StringComparer.Ordinal));
        Assert.All(UpstreamProfiles.Names, static name => Assert.NotNull(UpstreamProfiles.Find(name)));
    }

    [Fact]
    public void TryRead_ErrorsOfSecrets_DoNotRepeatThem()
    {
        var errors = Errors("--Users:0:Name=a", "--Users:0:PasswordHash=geheim", "--Users:0:Password=geheim");

        Assert.NotEmpty(errors);
        Assert.DoesNotContain(errors, error => error.Contains("geheim", StringComparison.Ordinal));
    }

    [Fact]
    public void TryRead_Users_PasswordsRolesAndThumbprints()
    {
        var hash = PasswordHash.Create("pw"u8, 10_000).ToString();
        var settings = Read(
            "--Users:0:Name=a", "--Users:0:Password=plain", "--Users:0:Roles=Operator, Engineer",
            "--Users:1:Name=b", "--Users:1:PasswordHash=" + hash,
            "--Users:2:Name=c", "--Users:2:CertificateThumbprint=" + new string('a', 40),
                "--Users:2:Roles:0=SecurityAdmin");

        Assert.True(settings.Users[0].Password!.Verify("plain"u8));
        Assert.Equal(Roles.Operator | Roles.Engineer, settings.Users[0].Roles);
        Assert.True(settings.Users[1].Password!.Verify("pw"u8));
        Assert.Equal(Roles.Observer, settings.Users[1].Roles);
        Assert.Null(settings.Users[2].Password);
        Assert.Equal(new string('A', 40), settings.Users[2].Thumbprint);
    }

    [Fact]
    public void TryRead_Limits_ReachEveryPart()
    {
        var settings = Read(
            "--Limits:MaxSessions=7", "--Limits:MaxSubscriptions=8", "--Limits:MaxConnections=9",
            "--Limits:HelloDeadline=00:00:03", "--Limits:MaxMonitoredItemsPerCall=11");

        Assert.Equal(7, settings.ServerLimits.MaxSessions);
        Assert.Equal(8, settings.PublishLimits.MaxSubscriptions);
        Assert.Equal(9, settings.TransportLimits.MaxConnections);
        Assert.Equal(TimeSpan.FromSeconds(3), settings.TransportLimits.HelloDeadline);
        Assert.Equal(11, settings.PublishLimits.MaxMonitoredItemsPerCall);
    }

    /// <summary>The runtime would take a bare number, and 24:00:00, for days and 10:00 for hours.</summary>
    [Theory]
    [InlineData("3600", "'3600' has no unit: write 01:00:00 for 3600 seconds")]
    [InlineData("0.5", "'0.5' has no unit: write 00:00:00.5000000 for 0.5 seconds")]
    [InlineData("90000", "'90000' has no unit: write 1.01:00:00 for 90000 seconds")]
    [InlineData("24:00:00", "'24:00:00' is no time: write hh:mm:ss, or d.hh:mm:ss from 24 hours on")]
    [InlineData("10:00", "'10:00' is no time: write hh:mm:ss, or d.hh:mm:ss from 24 hours on")]
    [InlineData("1e300", "'1e300' is no time: write hh:mm:ss, or d.hh:mm:ss from 24 hours on")]
    [InlineData("NaN", "'NaN' is no time: write hh:mm:ss, or d.hh:mm:ss from 24 hours on")]
    [InlineData("an hour", "'an hour' is no time: write hh:mm:ss, or d.hh:mm:ss from 24 hours on")]
    public void TryRead_TimeWithoutUnit_IsRefusedWithWhatToWrite(string text, string problem) => Assert.Equal(
        ["Limits:MaxSessionTimeout: " + problem], Errors("--Limits:MaxSessionTimeout=" + text));

    [Theory]
    [InlineData("01:00:00", 3_600)]
    [InlineData("1:00:00.250", 3_600.25)]
    [InlineData("1.02:00:00", 93_600)]
    public void TryRead_Time_IsTaken(string text, double seconds) => Assert.Equal(
        TimeSpan.FromSeconds(seconds), Read("--Limits:MaxSessionTimeout=" + text).ServerLimits.MaxSessionTimeout);

    /// <summary>Two gateways on one host are two applications.</summary>
    [Fact]
    public void TryRead_ApplicationUri_OneOfItsOwnForEachPortAndAddress()
    {
        string[] uris =
        [
            Read().ApplicationUri, Read("--OpcUa:Port=4841").ApplicationUri,
            Read("--OpcUa:Port=4842").ApplicationUri, Read("--OpcUa:Address=10.0.0.5").ApplicationUri,
            Read("--OpcUa:Address=fe80::1").ApplicationUri,
        ];

        Assert.Equal(uris.Length, uris.Distinct().Count());
        Assert.All(uris, uri => Assert.True(Uri.IsWellFormedUriString(uri, UriKind.Absolute), uri));
        Assert.EndsWith(":opcua-gateway", uris[0], StringComparison.Ordinal);
        Assert.EndsWith(":opcua-gateway:4841", uris[1], StringComparison.Ordinal);
        Assert.Equal(uris[1], Read("--OpcUa:Port=4841").ApplicationUri);
        Assert.Equal("urn:mine", Read("--OpcUa:Port=4841", "--OpcUa:ApplicationUri=urn:mine").ApplicationUri);
    }

    [Fact]
    public void TryRead_PkiPathIsAFile_IsAnError()
    {
        var file = Path.GetTempFileName();
        try
        {
            Assert.Equal([$"Pki:Path: '{file}' is a file, not a folder"], Errors("--Pki:Path=" + file));
        }
        finally
        {
            File.Delete(file);
        }
    }

    [Theory]
    [InlineData("{ \"OpcUa\": {\n \"Port\": 1\n \"X\": 2 } }", "line 3, column 2: ")]
    [InlineData("{ \"Demo\": true,\n  \"Demo\": false }", "Demo")]
    public void ReadConfiguration_BrokenFile_SaysWhichAndWhere(string json, string place)
    {
        using var folder = new ConfigurationFolder(json);

        var error = Assert.Throws<InvalidDataException>(() => CommandLine.ReadConfiguration([], folder.Path));

        Assert.StartsWith(folder.FilePath + ": ", error.Message, StringComparison.Ordinal);
        Assert.Contains(place, error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("LineNumber", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void ReadConfiguration_CommittedFile_IsValidAndHoldsTheDefaults()
    {
        Assert.True(File.Exists(Path.Combine(AppContext.BaseDirectory, "appsettings.json")));
        var fromFile = Read();
        var fromNothing = SettingsOf.TryRead(new ConfigurationBuilder().Build(), out var errors);

        Assert.Empty(errors);
        Assert.Equal(fromNothing!.OpcUaEndPoint, fromFile.OpcUaEndPoint);
        Assert.Equal(fromNothing.HttpEndPoint, fromFile.HttpEndPoint);
        Assert.Equal(fromNothing.Security.Policies, fromFile.Security.Policies);
        Assert.Equal(fromNothing.ShutdownGrace, fromFile.ShutdownGrace);
        Assert.Equal(fromNothing.Simulator, fromFile.Simulator);
        Assert.Equal(fromNothing.AnonymousRoles, fromFile.AnonymousRoles);
        Assert.Equal(fromNothing.MaxRejectedCertificates, fromFile.MaxRejectedCertificates);
        Assert.Equal(fromNothing.ApplicationName, fromFile.ApplicationName);
    }

    /// <summary>Kestrel would throw at the start.</summary>
    [Fact]
    public void HttpGracePeriod_OneSecond_IsAnError() => Assert.Contains(
        "Limits:HttpGracePeriod", Assert.Single(Errors("--Limits:HttpGracePeriod=00:00:01")), StringComparison.Ordinal);

    private static GatewaySettings Read(params string[] arguments)
    {
        var settings = SettingsOf.TryRead(CommandLine.ReadConfiguration(arguments), out var errors);
        Assert.Empty(errors);
        return settings!;
    }

    private static IReadOnlyList<string> Errors(params string[] arguments)
    {
        Assert.Null(SettingsOf.TryRead(CommandLine.ReadConfiguration(arguments), out var errors));
        return errors;
    }
}
