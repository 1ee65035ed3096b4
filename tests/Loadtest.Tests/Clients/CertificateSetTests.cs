using Gateway.Loadtest.Clients;

namespace Gateway.Loadtest.Tests.Clients;

public sealed class CertificateSetTests
{
    [Fact]
    public void Make_MoreThanKeys_EachWithThumbprintAndUriOfItsOwn()
    {
        using var set = new CertificateSet(6, "test");

        var all = Enumerable.Range(0, set.Count).Select(i => set[i]).ToArray();

        Assert.Equal(6, all.Select(one => one.Thumbprint).Distinct().Count());
        Assert.Equal("urn:gateway:loadtest:test-5", all[5].ApplicationUri);
        Assert.Equal(6, all.Select(one => one.ApplicationUri).Distinct().Count());
    }
}
