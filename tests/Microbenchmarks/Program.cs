using System.Reflection;
using BenchmarkDotNet.Running;
using Gateway.Microbenchmarks.Tables;

if (args is ["tables", ..])
    TablePage.Write(args[1..]);
else
    // In process: BenchmarkDotNet looks for a project file named like the assembly, and ours is named by its folder.
    BenchmarkSwitcher.FromAssembly(Assembly.GetExecutingAssembly()).Run([.. args, "--inProcess"]);
