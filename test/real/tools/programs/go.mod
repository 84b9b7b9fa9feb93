module sno-install.test/programs

go 1.26.0
