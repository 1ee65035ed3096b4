using System.Text;
using Gateway.PubSub.Uadp.Security;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.PubSub.Tests.Uadp;

/// <summary>Files of keys: read, read anew, closed to others, and of no use.</summary>
public sealed class SecurityKeyFileTests : IDisposable
{
    private readonly string _path = Path.Combine(Directory.CreateTempSubdirectory("uadp").FullName, "keys.json");

    public void Dispose() => Directory.Delete(Path.GetDirectoryName(_path)!, recursive: true);

    [Fact]
    public void Read_TwoKeys_AreInTheirOrder()
    {
        var set = Read(Text("PubSub-Aes128-CTR", 52, ""","validFrom":"2026-01-01T00:00:00Z" """));

        Assert.Same(PubSubSecurityPolicy.Aes128Ctr, set.Policy);
        Assert.Equal([1u, 2u], set.Keys.Select(key => key.TokenId));
        Assert.Equal(1u, set.CurrentAt(new DateTime(2025, 1, 1, 0, 0, 0, DateTimeKind.Utc))!.TokenId);
        Assert.Equal(2u, set.CurrentAt(new DateTime(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc))!.TokenId);
    }

    [Theory]
    [InlineData("")]
    [InlineData("[]")]
    [InlineData("{\"policy\":\"None\",\"keys\":[]}")]
    [InlineData("{\"policy\":\"PubSub-Aes128-CTR\",\"keys\":[]}")]
    [InlineData("{\"policy\":\"PubSub-Aes128-CTR\",\"keys\":7}")]
    [InlineData("{\"policy\":\"PubSub-Aes128-CTR\",\"keys\":[{\"token\":0,\"key\":\"AA==\"}]}")]
    [InlineData("{\"policy\":\"PubSub-Aes128-CTR\",\"keys\":[{\"token\":1,\"key\":\"AA==\"}]}")]
    public void Read_NoUse_IsAFormatException(string text)
    {
        Assert.Throws<FormatException>(() => Read(text));
        Assert.Throws<FormatException>(() => Read(Text("PubSub-Aes256-CTR", 52, string.Empty)));
        Assert.Throws<FormatException>(() => Read(Text("PubSub-Aes128-CTR", 53, string.Empty)));
    }

    [Fact]
    public void Look_ChangedThenOfNoUse_KeepsTheLastGoodKeys()
    {
        File.WriteAllText(_path, Text("PubSub-Aes128-CTR", 52, string.Empty));
        var keys = new FileSecurityKeys(_path, NullLogger<FileSecurityKeys>.Instance);
        var first = keys.Current;
        keys.Look();
        Assert.Same(first, keys.Current);

        File.WriteAllText(_path, Text("PubSub-Aes256-CTR", 68, string.Empty));
        keys.Look();
        Assert.Same(PubSubSecurityPolicy.Aes256Ctr, keys.Current.Policy);

        File.WriteAllText(_path, "{");
        keys.Look();
        keys.Look();
        Assert.Same(PubSubSecurityPolicy.Aes256Ctr, keys.Current.Policy);
        Assert.Equal(1, keys.Failures);
    }

    [Fact]
    public void New_FileThatOthersMayRead_IsClosedToThem()
    {
        if (OperatingSystem.IsWindows())
            return;
        File.WriteAllText(_path, Text("PubSub-Aes128-CTR", 52, string.Empty));
        File.SetUnixFileMode(_path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.OtherRead);

        _ = new FileSecurityKeys(_path, NullLogger<FileSecurityKeys>.Instance);

        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(_path));
    }

    private static SecurityKeySet Read(string text) => SecurityKeyFile.Read(Encoding.UTF8.GetBytes(text));

    private static string Text(string policy, int bytes, string secondMembers)
    {
        var key = Convert.ToBase64String(new byte[bytes]);
        return "{\"policy\":\"" + policy + "\",\"keys\":[{\"token\":1,\"key\":\"" + key + "\"}," +
            "{\"token\":2,\"key\":\"" + key + "\"" + secondMembers + "}]}";
    }
}
