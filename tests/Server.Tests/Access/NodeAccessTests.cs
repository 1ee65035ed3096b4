using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Tests.Support;

namespace Gateway.Server.Tests.Access;

public sealed class NodeAccessTests : IDisposable
{
    private readonly ServerFixture _fixture = new();

    public void Dispose() => _fixture.Dispose();

    [Theory]
    [InlineData("observer", "Int32", AccessLevelType.CurrentRead)]
    [InlineData("operator", "Int32", AccessLevelType.CurrentRead | AccessLevelType.CurrentWrite)]
    [InlineData("operator", "ReadOnly", AccessLevelType.CurrentRead)]
    [InlineData("observer", "WriteOnly", AccessLevelType.None)]
    public async Task UserAccessLevel_Role_IsWhatReadAndWriteAllow(string user, string node, AccessLevelType expected)
    {
        var client = await _fixture.ConnectAsync(user);
        var level = await ReadAsync(client, new NodeId(node, 1), AttributeId.UserAccessLevel);
        Assert.Equal(expected, (AccessLevelType)level.AsInt32());
    }

    [Theory]
    [InlineData("observer", false)]
    [InlineData("operator", true)]
    public async Task UserExecutable_Role_IsWhatCallAllows(string user, bool expected)
    {
        var client = await _fixture.ConnectAsync(user);
        Assert.Equal(expected, (await ReadAsync(client, TestPlant.Add, AttributeId.UserExecutable)).AsBoolean());
        Assert.True((await ReadAsync(client, TestPlant.Add, AttributeId.Executable)).AsBoolean());
    }

    [Fact]
    public async Task UserRolePermissions_Operator_NamesTheWellKnownRole()
    {
        var client = await _fixture.ConnectAsync("operator");
        var value = await ReadAsync(client, TestPlant.Int32, AttributeId.UserRolePermissions);
        var permissions = (RolePermissionType)value.AsArray<ExtensionObject>()!.Single().Body!;
        Assert.Equal(new NodeId(15680), permissions.RoleId);
        Assert.True(permissions.Permissions.HasFlag(PermissionType.Write));
    }

    private static async Task<Variant> ReadAsync(TestClient client, NodeId node, AttributeId attribute)
    {
        var response = await client.CallAsync<ReadResponse>(new ReadRequest
        {
            NodesToRead = [new ReadValueId { NodeId = node, AttributeId = (uint)attribute }],
        });
        return response.Results!.Single().Value;
    }
}
